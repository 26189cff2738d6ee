"""Fights in two worlds that differ only in hidden facts, and the commands to compare."""

from __future__ import annotations

from typing import NamedTuple

from tests.effort import FUZZ


class Secret(NamedTuple):
    """Everything that differs between the two worlds."""

    who: str
    name: str
    gear: str
    item: str
    armor: str
    side: str
    ability: str
    check: str
    roll: str
    remark: str
    before: str


WORLDS = (
    Secret(
        "zqx",
        "Zqx",
        "soul-reaper",
        "rope",
        "hide",
        "cult",
        "climbing",
        "--die=2",
        "--dice=2,3",
        "the trap is under the stairs",
        "9",
    ),
    # An id that is also a word in the log's sentences, fields and choices.
    Secret("ready", "Ready of the Fen", "bow", "horn", "plate", "watch", "riding", "--yes", "--yes", "Ana lies", "11"),
)
GUESSES = (*(secret.who for secret in WORLDS), "nobody")

JOINED = """
new mill --title "At_the_mill" --preset PRESET
join ana --name Ana STATS --side heroes --weapon id=sword,power=2 --weapon id=dirk,power=1,readied=no
join bo --name Bo STATS --side thugs --weapon id=club,power=1 --item id=lamp
join WHO --name NAME STATS --side SIDE --weapon id=GEAR,power=3 --item id=ITEM --ability ABILITY=4 \\
--armor id=ARMOR,cover=6,absorption=2 --hidden
note REMARK --hidden
"""
ENDED = """
adjust --reason REMARK --condition WHO=out
close --yes
MOMENT the end
"""
BRANCHED = """
branch --at 8 --id aside -e mill
resolve 3 2
end-turn
MOMENT a branch
"""
TURNS = """
initiative --first ana --reason quick
begin-turn ana
attack ana bo --weapon sword POWER
MOMENT an open exchange
resolve
check ana hard CHECK --hidden
attack ana WHO POWER
MOMENT an open exchange with somebody hidden
resolve 1 6
dispute 4 --claim REMARK
MOMENT her turn
end-turn
begin-turn
drop-item bo lamp
end-turn
MOMENT between turns
begin-turn
act WHO REMARK
resolve
attack WHO bo --weapon GEAR POWER
MOMENT an attack of somebody hidden
resolve 2 1
MOMENT the turn of somebody hidden
end-turn
begin-turn ana
amend 4 name=NAME-again --yes
undo 11 --yes
MOMENT after corrections
"""
INSERTED = """
initiative --first ana --reason quick
begin-turn ana
attack ana bo --weapon sword POWER
resolve 4 3
end-turn
begin-turn bo
attack bo ana --weapon club POWER
resolve 2 5
check bo easy --die 4 --hidden --after BEFORE --yes
move ana 1 --after 9 --yes
note so_it_was
dispute 9 --claim misread
check bo hard --die 4 --hidden --after BEFORE --yes
end-turn
MOMENT hidden rolls were put in somewhere
undo 9 --yes
amend 14 die=3 --yes
MOMENT what lies around them was struck
"""
SPEEDS = """
initiative --first ana --reason quick
begin-turn ana
attack ana bo --weapon sword
MOMENT an open exchange
resolve
check ana hard CHECK --hidden
MOMENT her turn
end-turn
begin-turn
drop-item bo lamp
end-turn
MOMENT between turns
begin-turn
attack WHO bo --weapon GEAR
MOMENT an attack of somebody hidden
resolve 1
MOMENT the turn of somebody hidden
end-turn
begin-turn ana
attack ana WHO
MOMENT an open exchange with somebody hidden
resolve 6
dispute 4 --claim REMARK
amend 4 name=NAME-again --yes
undo 8 --yes
MOMENT after corrections
"""
ROUNDS = """
round
initiative roll --all --dice ana=6,5,4 --dice WHO=4,4,4 --dice bo=1,1,2
roll ana emotion --code 2D ROLL --hidden
MOMENT before the first turn
declare ana --actions 2
act ana --action punch --target bo --difficulty 5 --dice 4
MOMENT an open action
result
act ana --action punch --target WHO --difficulty 5 --dice 4
MOMENT an open action against somebody hidden
result failure
dispute 4 --claim REMARK
MOMENT before the turn of somebody hidden
declare WHO
act WHO --action punch --target bo --equipment GEAR --difficulty 5 --dice 1,2
MOMENT an action of somebody hidden
result
declare bo
amend 4 name=NAME-again --yes
MOMENT after corrections
"""
HELD = """
initiative --first WHO --reason REMARK
begin-turn WHO
manipulate WHO ana --points 2 --follow-up hold
MOMENT somebody hidden takes hold
undo
redo
amend 8 points=3 --yes
defend ana 1
undo
MOMENT corrections in the open exchange of somebody hidden
resolve 6 1
dispute 8 --claim REMARK
end-turn
begin-turn ana
escape ana WHO --points 1
MOMENT getting out of a hidden hold
resolve 1 6
attack ana bo --weapon sword POWER
interfere WHO 20 --points 1
MOMENT a hidden interference
amend 20 target=WHO --yes
MOMENT an attack that is on somebody hidden by now
amend 20 target=bo --yes
resolve 4 2 --interference-die 21=5
end-turn
begin-turn bo
attack bo ana --weapon club --power 2
defend ana 2
undo 11 --yes
MOMENT corrections in an open exchange
resolve 5 2
undo 8 --yes
MOMENT nobody was held
amend 3 hp=1 --yes
MOMENT too few points
"""
STALKED = """
stalk WHO ana --die 20
stalk ana bo --die 3 --hidden
stalk bo WHO --die 2
MOMENT stalked
establish-surprise
MOMENT surprised
undo
undo 6 --yes
establish-surprise
MOMENT nobody surprised
initiative --first ana --reason quick
begin-turn ana
mount ana WHO
MOMENT on somebody hidden
end-turn
begin-turn bo
attack bo ana --weapon club
amend 18 target=WHO --yes
resolve 6
MOMENT a hidden mount was attacked
undo 15 --yes
MOMENT nobody rode
redo --yes
"""
POINTS = """
round
initiative roll --all --dice ana=6,5,4 --dice WHO=4,4,4 --dice bo=1,1,2
spend WHO fate
spend ana character --on initiative --dice 3
spend ana fate --hidden
MOMENT points were spent
declare ana --actions 2
act ana --action punch --target bo --difficulty 5 --dice 4
dispute 12 --claim misread
dispute 5 --claim REMARK --hidden
answer 13 so_it_was
answer 13 REMARK --hidden
amend 12 target=WHO --yes
MOMENT an open action that is aimed at somebody hidden by now
undo
rule-on 13 --uphold --reason WHO
rule-on 14 --uphold --reason WHO
result
act ana --action punch --target bo --difficulty 5 --dice 4
result
declare WHO --actions 2
wait WHO
declare bo
act bo --action punch --target ana --difficulty 5 --dice 3,3
MOMENT somebody hidden waits
interrupt WHO --action punch --target ana --equipment GEAR --difficulty 5 --dice 2
MOMENT interrupted by somebody hidden
result success
result failure
undo 8 --yes
amend 10 visibility=public --yes
MOMENT other points
"""


LATER = """
new mill --title "At_the_mill" --preset PRESET
join ana --name Ana STATS --side heroes --weapon id=sword,power=2
join bo --name Bo STATS --side thugs --weapon id=club,power=1
join WHO --name NAME STATS --side SIDE --weapon id=GEAR,power=3 --item id=ITEM
initiative --first ana --reason quick
begin-turn ana
note NAME
attack ana WHO POWER
resolve 1 6
dispute 8 --claim NAME
amend 4 name=NAME-again --yes
amend 4 name=NAME --yes
end-turn
do "b;note_so;m_1;.;b" --yes
amend 2 hp=3 --yes
undo 8 --yes
amend 4 visibility=gm --yes
MOMENT somebody was hidden later
"""
"""A combatant is named and attacked in public, then renamed, and only then hidden."""
MIXED = """
initiative --first ana --reason quick
begin-turn ana
do "WHO:_check_"the_rope"_v5_3_seen=gm;ana:_m_1;note_so_seen=gm;." --yes
MOMENT hidden and public orders in one line
do "b;note_so;m_1;WHO:_check_"the_rope"_v5_4_seen=gm;.;b" --yes
end-turn
begin-turn ana
do "m_1;." --yes
amend 3 hp=8 --yes
MOMENT a hidden turn ended the round
"""
"""Lines that mix visible and hidden combatants; a hidden turn ends the round, and previews judge it again."""


class Fight(NamedTuple):
    """A fight in two worlds: its commands, its preset, the fields of its combatants, and the cost of an attack."""

    preset: str
    lines: str
    stats: str = "--hp 9"
    power: str = ""


CODES = "--code perception=3D --code agility=2D --code brawling=2D --code dodge=2D"
FIGHTS = {
    "turns": Fight("mam_pools", JOINED + TURNS + ENDED + BRANCHED, power="--power 1"),
    "speeds": Fight("mam_speed", JOINED + SPEEDS + ENDED),
    "rounds": Fight("ron_d6", JOINED + ROUNDS + ENDED, CODES),
    "holds": Fight("mam_pools", JOINED + HELD + ENDED, power="--power 1"),
    "stalking": Fight("mam_speed", JOINED.replace("--armor", "--training trained --armor") + STALKED + ENDED),
    "mixed": Fight("mam_pools", JOINED + MIXED + ENDED, power="--power 1"),
    "later": Fight("mam_pools", LATER, power="--power 1"),
    "points": Fight("ron_d6", JOINED + POINTS + ENDED, f"{CODES} --fate-points 2 --character-points 3"),
}
INSERTS = {"inserts": Fight("mam_pools", JOINED + INSERTED + ENDED, power="--power 1")}
"""Fights with a hidden insert, at a different place in each world."""

LOOKS = """
luck · luck --json
log · log --json · log --last 3 --at 9 · log --as-of 11 · audit · audit --json · audit 4 · audit 11 · audit 12 --json
pools · pools --json · pools --at 10 · order · order --json · options · options --json · options ana
options bo --all · options --all --json · options GUESS · replay --plain · replay --json · replay --living --json
audit --all · audit --all --json · pools --all · pools --all --json · order --all · order --all --json
audit --house-rules · encounters --outcomes · encounters --outcomes --json
diff mill@9 mill · diff mill mill@12 --json · diff mill aside · diff aside mill --json
whatif --set half_success=never · whatif --set half_success=never --json --from 8
replay --against mill@9 --html - · replay -e mill --against aside --html - · whatif --set half_success=never --html -
blame ana · blame bo --json · blame GUESS · explain ana · explain GUESS · explain ana.ready · explain bo.damage --json
explain GUESS.ready · explain ana.GUESS · explain bo.actions · explain ana.fate_points · explain ana.defense --at 9
report · report --json · disputes · disputes --all · disputes --all --json · precedents · precedents --json
precedents GUESS · encounters · encounters --json · verify · verify --json · verify --all · export · seal
export --as-test · seal --to notebook
"""
AS_FOUGHT = """
log · log --json · log --last 3 · audit · audit --json · pools · order · options · replay --plain · replay --json
replay --living --json · report · report --json · disputes · luck · luck --json · blame ana · explain bo.damage
whatif --set half_success=never --json --from 8 · verify · export
"""
"""Views in the order of the fight, compared if hidden rulings were inserted at different places."""
WHOLE = [["export"], ["audit", "--json"], ["log"]]
"""Views of the whole fight."""
ORDERS = """
attack ana GUESS · attack GUESS ana · attack ana bo --weapon soul-reaper · attack ana bo --weapon club · act GUESS x
begin-turn GUESS · begin-turn · end-turn · end-turn GUESS · act ana x · move ana 1 · defend GUESS 1 · defend bo 1
resolve 3 3 · resolve --interference-die GUESS=3 · interfere GUESS 2 --points 1 · interfere bo 1 --points 1
resolve 3 3 --without GUESS · pass bo --without GUESS · throw-die bo 3 --without GUESS · throw-die GUESS 3
counterattack GUESS · parry GUESS · manipulate ana GUESS --points 1 --follow-up disarm --item soul-reaper
manipulate ana bo --points 1 · pick-up-item ana lamp · pick-up-item ana soul-reaper · drop-item ana soul-reaper
ready-weapon ana soul-reaper · ready-weapon ana dirk · escape ana GUESS · release ana GUESS · contest ana GUESS
check GUESS hard · stalk ana GUESS · mount ana GUESS · heal GUESS · adjust --condition GUESS=dead --reason x
adjust --move GUESS:ready:stun:1 --reason x · adjust --turn GUESS --reason x
adjust --hold ana=grip:1:1:GUESS --reason x · adjust --reason x --outcome full --stun 1
pick-up-item ana lamp --owner GUESS · declare-combo 1 --target GUESS · counterattack ana --target GUESS
resolve 3 3 --armor-die GUESS=3 · escape ana hold-4 --holder GUESS · adjust --riding ana=GUESS --reason x
manipulate ana bo --points 1 --follow-up throw --into GUESS · adjust --position ana=clinch:GUESS --reason x
initiative --circumstance GUESS · initiative --surprise GUESS · initiative --tie-die GUESS=3
initiative --same-seat GUESS
initiative --first GUESS --reason x · join eve --mount GUESS --hp 3 · join eve --hp 3 · note x --about 4
note x --about 5 · note x --about 8 · delay-turn ana GUESS · skip-turn · take-position ana clinch GUESS
prepare-counterattack GUESS · change-action GUESS · undo · undo --preview · undo 4 · undo 8 --preview
undo 11 --preview · undo 12 · undo 9 --only --preview · undo 10 --rewind --preview · undo 2 --preview
undo 3 --preview · redo --preview · redo 31 --preview · amend 8 target=GUESS --preview · amend 8 target=GUESS --yes
amend 8 attacker=GUESS --preview · amend 8 weapon=soul-reaper --preview · amend 8 weapon=dirk --preview
amend 9 attack_die=6 --preview · amend 9 attack_die=null --preview · amend 4 name=x --preview · amend 11 die=3
amend 2 name=GUESS --preview · amend 2 hp=12 --preview · amend 7 combatant=GUESS --preview
attack ana GUESS --after 9 · move ana 1 --after 9 · act ana x --after 9 --yes · end-turn ana --after 14
log --as side:GUESS-SIDE · odds · odds --json · odds resolve · odds attack ana bo · odds attack ana bo 1
odds attack ana GUESS 1 · odds attack bo ana --json · odds contest ana GUESS · odds check ana hard · odds heal bo
odds stalk ana GUESS · rules change --set half_success=never --reason x --preview
rules change --set half_success=never --reason x --preview --json · branch --at 9 --id other
branch --at 12 --id GUESS
odds manipulate ana bo --points 1 --follow-up hold · odds initiative
"""
OF_ROUNDS = """
round · declare · declare ana · declare GUESS · wait · wait ana · act ana --action punch --target GUESS --difficulty 5
act ana --action punch --target bo --equipment soul-reaper · act ana --action melee --target bo --equipment club
interrupt ana · interrupt bo --action dodge · interrupt bo --action punch --target GUESS
interrupt GUESS --action dodge · move-up bo
move-up GUESS --because gm_allows --reason x · result · result success · spend GUESS fate · spend ana character
roll-related ana search 5 --code 2D · roll GUESS damage --code 2D · initiative roll GUESS · initiative roll --all
initiative roll ana --dice GUESS=1,2,3 · initiative roll ana --again GUESS=1,2 · initiative roll ana --special GUESS
spend ana character --again GUESS=1 · incapacitate GUESS · incapacitate ana --through GUESS · recover GUESS
recover ana · odds · odds initiative roll --all · odds initiative roll GUESS · odds result
odds roll GUESS damage --code 2D · odds act ana --action punch --target bo --difficulty 5 --json
odds spend ana character · amend 7 dice.GUESS=[1,2,3] --preview · amend 10 dice=[1,2] --preview
"""
NUMBERED = """
undo N --preview --json · undo N --only --preview · undo N --rewind --preview · redo N --preview · audit N --json
dispute N --claim x · answer N x · rule-on N --uphold · rule-on 9 --with N
log --at N · log --as-of N --json · pools --at N · note x --about N · amend N reason=x --preview · undo N --only --yes
explain N · explain N --json · explain N --as-of 12 · explain bo.stun --at N --json · blame ana --at N
blame bo --as-of N
adjust --reason x --answers N · end-turn --after N --preview · check bo hard --after N --preview
"""
"""Commands tried with a few numbers for N; `make fuzz` tries all numbers."""

TYPED = """
a GUESS p1 · a bo p1 3 2 · a bo soul · a · GUESS · GUESS: end-turn · GUESS end · @GUESS · n · . · e · b · u
u NUMBER · redo · r · 3 3 · r 3 3 · [3 3 #NUMBER=5] · [- 2 armor.GUESS=3] · d 1 · d 1; flub
ana: attack GUESS sword power=1 · c · i 1 · i · parry · ana: attack bo sword power=1; GUESS: defend 1
hold GUESS · hold bo · esc · rel · move 1. · m 1; a GUESS · con GUESS 3 · w · dispute NUMBER "he lied
note "x y" about=#NUMBER · answer NUMBER "x · note "x" seen=gm · after 9: ana: move 1 · mount · amend 8 p1
amend NUMBER target=GUESS · correct -#NUMBER · gm GUESS dead "x" · gm GUESS · check "x" v5 3 · slash GUESS v5 3
slash bo GUESS v5 3 · punch bo · result · ro · ri · ri GUESS 3 · spend ana char · z · re · st GUESS · by=GUESS a
a id=k · a target=GUESS · a GUESS p1; . · "GUESS" · a bo "GUESS" · a bo GUESS · drop GUESS · pick soul
pick lamp · aim GUESS · a bo p99
"""
"""Orders as typed lines; NUMBER is the number of a ruling."""


def typed_lines() -> list[str]:
    """Return the lines of `TYPED`."""
    return [line for text in TYPED.strip().split("\n") for line in text.split(" · ")]


def lines(text: str) -> list[list[str]]:
    """Split command lines, which dots separate, into words."""
    return [each.split() for line in text.split("\n") for each in line.split(" · ") if each]


PROBES = [
    [word.replace("GUESS-SIDE", side).replace("GUESS", guess) for word in words]
    for words in lines(LOOKS + ORDERS + OF_ROUNDS)
    for guess, side in zip(GUESSES, (*(secret.side for secret in WORLDS), "nobody"), strict=True)
    if guess == GUESSES[0] or any("GUESS" in word for word in words)
]
PROBES += [
    [str(number) if word == "N" else word for word in words]
    for words in lines(NUMBERED)
    for number in range(5, 34, 1 if FUZZ else 9)
]
PROBES += [
    ["do", line.replace("NUMBER", str(8 + 3 * at % 20)).replace("GUESS", guess)]
    for at, line in enumerate(typed_lines())
    for guess in GUESSES
    # A guess that is the name of an action would be that action.
    if guess == GUESSES[0] or ("GUESS" in line and line != "GUESS")
]
