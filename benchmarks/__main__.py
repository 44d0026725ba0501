"""Command line of the benchmarks: `python -m benchmarks [NAME …] [--json FILE]`."""

import argparse
from pathlib import Path

from benchmarks.runner import NAMES, run, save


def main() -> None:
    """Run the benchmarks that were named, all of them without a name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure edgevox on this machine.")
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help=f"which ones: {', '.join(NAMES)} (default: all)")
    parser.add_argument("--json", type=Path, help="where the report goes (default: benchmarks/results/local)")
    arguments = parser.parse_args()
    report = run(tuple(arguments.names) or NAMES)
    print(f"\nWritten to {save(report, arguments.json)}")


if __name__ == "__main__":
    main()
