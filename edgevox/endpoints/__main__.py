"""`python -m edgevox.endpoints`: keep a catalogue of endpoints, and encrypt the keys of a file of variables.

Exit codes: 0 done, 1 it could not be done (one sentence says why), 2 the arguments, 130 stopped with Ctrl+C.
"""

import argparse
import sys
from collections.abc import Sequence

from edgevox.core.errors import EdgeVoxError
from edgevox.endpoints.env_command import add_env_parser
from edgevox.endpoints.inventory_command import add_inventory_parser

PROG = "python -m edgevox.endpoints"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        argv: the arguments; `None` takes the process's own.
    """
    parser = argparse.ArgumentParser(prog=PROG, description="Catalogues of endpoints, and the keys that open them.")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_inventory_parser(subparsers)
    add_env_parser(subparsers)
    try:
        args = parser.parse_args(argv)
        return int(args.run(args))
    except (EdgeVoxError, OSError, EOFError) as error:
        print(f"{PROG}: {error or 'The input ended too early.'}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
