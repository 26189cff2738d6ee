#!/bin/sh
# The printed fight, played into a log, its last ruling taken back and given again.
# MAM is the command to run (default: mam). The log is demo.db here, whatever MAM_STORE says; nothing in it is removed.
set -eu

MAM=${MAM:-mam}
MAM_STORE=demo.db
export MAM_STORE
unset MAM_ENCOUNTER MAM_BY

# Run again, it plays the fight once more beside the others.
file=modre-and-the-clone
fight=$file
count=1
while "$MAM" seal -e "$fight" >/dev/null 2>&1; do
    count=$((count + 1))
    fight=$file-$count
done

say() { printf '\n\033[1m%s\033[0m\n' "$*" | { [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && cat || sed 's/\x1b\[[0-9]*m//g'; }; }

say "The fight the rules themselves print: Modre against his Clone"
"$MAM" play "$(dirname "$0")/$file.toml" --id "$fight"

say "Wait, that last move should not have happened: mam undo"
"$MAM" undo -e "$fight" --by "Game master" --reason "he was held"
"$MAM" log -e "$fight" --last 3
"$MAM" pools -e "$fight"

say "On second thoughts: mam redo"
"$MAM" redo -e "$fight" --by "Game master"
"$MAM" log -e "$fight" --last 4
"$MAM" pools -e "$fight"

say "The whole fight as a page for whoever was not there"
"$MAM" replay -e "$fight" --html demo.html --force --quiet

say "The log is in $MAM_STORE. What to type next:"
cat <<TEXT
  export MAM_STORE=$MAM_STORE
  $MAM log                     the fight line by line
  $MAM audit                   every die, every modifier, every rule
  $MAM table                   play on at a prompt
  $MAM undo 6                  undo the first exchange, and judge the rest again
  $MAM replay                  step through it with the arrow keys
  $MAM --help                  everything else
TEXT
