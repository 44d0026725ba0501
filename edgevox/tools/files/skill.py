"""`cli_skill`: what a model has to know to write file commands. Short enough for a small model's window.

It is a `SkillDoc`: `chains.Agent` takes it in `skills` and `auto_loaded_skills` beside the tools of
`get_run_file_command`; `chains.skills.Skill.from_doc(cli_skill, file_tools)` binds both, so that the tool appears with
the skill; the capability of file commands does this by itself.
"""

from typing import Final

from edgevox.core.skilldocs import SkillDoc

_BODY = """\
run_file_command takes `value`: [text, tag] pairs, in order. Tags: CMD command; FLG one option, spelled exactly (-n,
never -n5 or -rf); ARG value or pattern; PTH path; CTL operator. Options come first, each value right after its option,
then operands. -- ends options. There is no shell: no quotes, redirection, variables or ~.

Operators: | feeds the next command; && goes on after success, || after failure, ; always. Write files with tee:
[["tee","CMD"],["text of the file\\n","ARG"],["notes/a.txt","PTH"]]. Count lines of what grep finds:
[["grep","CMD"],["-i","FLG"],["milk","ARG"],["notes/a.txt","PTH"],["|","CTL"],["wc","CMD"],["-l","FLG"]].

Paths: relative to the base. Sources may have * within a name and one **/ for folders below; ? and [] are not supported.
Destinations are literal. Links, files with several names and devices are refused. A command without permission fails
and the next operator decides what follows; effects stay.

cat -n -b -s -E -T | head, tail -n ARG -c ARG -q -v | wc -l -w -c -m -L | pwd | diff -u -q -s -i -w (two files)
grep -n -i -v -F -w -x -c -l -q -o -H -h -E -r, -m -A -B -C ARG: pattern ARG, then paths; -r for folders
rg: as grep without -E -r -h; also -I --hidden --no-ignore -uu; searches folders by itself
ls -l -a -A -h -d -R -1 -r -t -S -F -p | find paths, then -name -iname -path -ipath -type -size -mtime -mmin -maxdepth
-mindepth ARG, -empty -print -prune -quit, -a -o ! ( )
tee -a: content ARG unless piped, then paths | touch -a -m -c -d ARG -t ARG -r PTH | mkdir -p -v
cp -r -t PTH -T -v: sources, then destination | mv the same without -r | rm -r -f
gio: ["trash","ARG"], then paths (can be undone; prefer it to rm)
cat, head, tail, wc, grep, rg read the pipe without paths; name it as ["-","ARG"] beside files."""

cli_skill: Final = SkillDoc(
    name="file_commands",
    description="How to write file commands for run_file_command: tokens, operators, paths and options.",
    body=_BODY,
    tools=("run_file_command",),
    tags=("files",),
)
"""Pass it beside the tools of `get_run_file_command`."""
