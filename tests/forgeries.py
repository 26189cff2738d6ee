"""Forgeries for everything that checks a log.

`mam verify` refuses the forgeries of an export. The page of a fight refuses those too, and forgeries of what it shows
beside its rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple

from mam_events.history.seed import draw
from tests.books import (
    Book,
    Edit,
    change_command,
    change_event,
    change_line,
    change_list,
    change_log,
    change_roll_text,
    combine_edits,
    entry_of,
    hash_lines,
    place_of,
    rows_of,
    valid_book,
)
from tests.verification.forge import Row, edited, set_to, version_of


class Forgery(NamedTuple):
    """A change of the book of that fight, and a part of the error that the page shows.

    It changes the log, or (`shows`) only what the page shows beside it.
    """

    fight: str
    change: Edit
    why: str
    shows: bool = False

    def forged(self) -> Book:
        """Return the changed book."""
        book = valid_book(self.fight)
        self.change(book)
        assert book != valid_book(self.fight)
        return book


FORM, PLACE, SEALED = (
    "it has a line that no export contains",
    "in the wrong place",
    "it was altered after it was sealed",
)
MASTER, ALONE = (
    "a page of the game master cannot hide anything",
    "it hides only some rows, which this program never does",
)
IMPOSSIBLE, OTHER = "it has an impossible die", "this page shows other dice than the log"
SENTENCE = "a sentence on this page has another die than the log"
COUNT = "it does not hide the number of its outcomes"
FACE, KEY, ZEROS = '"face":6', '"17/attack.modre/0/d6"', "00" * 32


def forge_line(old: str, new: str, why: str = FORM, ruling: int = 17, topic: str = "AttackRolled") -> Forgery:
    """Change the text of a line without resealing."""
    return Forgery("thrown", change_line(ruling, topic, lambda text: text.replace(old, new, 1)), why)


def forge_head(old: str, new: str) -> Forgery:
    """Change the text of the first line of ruling 18."""
    return forge_line(old, new, ruling=18, topic="Play")


def forge_lines(change: Callable[[list[str]], list[str]], why: str, fight: str = "thrown") -> Forgery:
    """Change the lines without resealing."""
    return Forgery(fight, change_list("rows", change), why)


def forge_die(old: str, new: str, why: str = IMPOSSIBLE) -> Forgery:
    """Change the text of the die of the attack in ruling 17, and reseal all rulings."""
    return Forgery("thrown", change_roll_text(old, new), why)


def forge_page(change: Edit, why: str = OTHER) -> Forgery:
    """Change only what the page shows, not the log."""
    return Forgery("thrown", change, why, shows=True)


def forge_shown_roll(entries: str = "entries", **fields: Any) -> Forgery:
    """Change fields of the first roll that the page shows for ruling 17."""
    return forge_page(lambda book: entry_of(book, 17, entries)["rolls"][0].update(fields))


def forge_shown_rolls(change: Callable[[list[Book]], list[Book]]) -> Forgery:
    """Change the rolls that the page shows for ruling 17."""
    return forge_page(lambda book: entry_of(book, 17).update(rolls=change(entry_of(book, 17)["rolls"])))


def forge_sentence(old: str, new: str, ruling: int = 17, fight: str = "thrown") -> Forgery:
    """Change the text of the sentences that the page shows for a ruling."""

    def edit(book: Book) -> None:
        told = entry_of(book, ruling)
        told |= {name: told[name].replace(old, new, 1) for name in ("line", "lead")}
        told["frame"]["sentence"] = told["frame"]["sentence"].replace(old, new, 1)

    return Forgery(fight, edit, SENTENCE, shows=True)


def forge_shown_modifier(**fields: Any) -> Forgery:
    """Change fields of the first modifier that the page shows for the first roll of ruling 17."""
    return forge_page(lambda book: entry_of(book, 17)["rolls"][0]["modifiers"][0].update(fields))


def swap_roles(book: Book) -> None:
    """Swap the roles of the two rolls that the page shows for ruling 8."""
    one, other = entry_of(book, 8)["rolls"]
    one["what"], other["what"] = other["what"], one["what"]


def show_unknown_roller(book: Book) -> None:
    """Show the first roll of ruling 17 as one of an unknown combatant outside the exchange."""
    told = entry_of(book, 17)
    del told["duel"]
    told["rolls"][0] |= {"combatant": "", "name": "Dov"}


def move_entry(ruling: int, steps: int, fight: str = "written") -> Forgery:
    """Show a ruling that many entries later, or earlier."""

    def change(told: list[Book]) -> list[Book]:
        at = next(at for at, leaf in enumerate(told) if leaf["frame"]["number"] == ruling)
        others = [*told[:at], *told[at + 1 :]]
        return [*others[: at + steps], told[at], *others[at + steps :]]

    return Forgery(fight, change_list("entries", change), PLACE, shows=True)


def show_hidden_fields(ruling: int, **fields: Any) -> Forgery:
    """Show fields of a ruling that the log hides."""
    return Forgery("public", lambda book: entry_of(book, ruling).update(fields), str(ruling), shows=True)


def hash_ruling_and_show_other_die(book: Book) -> None:
    """Replace ruling 17 by a hash, and show another die for it."""
    hash_lines(book, 17)
    entry_of(book, 17)["rolls"][0]["face"] = 4


def show_as_hidden(fight: str, ruling: int, entries: str = "entries") -> Forgery:
    """Show a visible ruling as hidden."""

    def edit(book: Book) -> None:
        told = entry_of(book, ruling, entries)
        told |= {"frame": {"number": ruling, "hidden": True}, "rolls": [], "line": "", "lead": ""}

    return Forgery(fight, edit, "this page hides it, but the log does not", shows=True)


def swap_neighbours(many: list[Any], place: int) -> list[Any]:
    """Return the list with two neighbours swapped."""
    return [*many[:place], many[place + 1], many[place], *many[place + 2 :]]


def hash_lines_and_show_other_die(fight: str, why: str, first: int, behind: int) -> Forgery:
    """Replace lines of ruling 17, counted from its head, by a hash, and show another die."""

    def edit(book: Book) -> None:
        hash_lines(book, 17, first, behind)
        entry_of(book, 17)["rolls"][0]["face"] = 4

    return Forgery(fight, edit, why)


def add_other_state_to_hash(book: Book) -> None:
    """Give a line its true hash and another state."""
    place = place_of(book, 17, "AttackRolled")
    text = book["rows"][place]
    hash_lines(book, 17, place - place_of(book, 17), place - place_of(book, 17) + 1)
    found = json.loads(book["rows"][place])["hash"]
    book["rows"][place] = text.replace(FACE, '"face":5').replace(',"state":', f',"hash":"{found}","state":')


def forge_ruling(number: int, change: Callable[[list[str]], list[str]], why: str) -> Forgery:
    """Change the lines of a ruling in the public log without resealing."""

    def edit(book: Book) -> None:
        lines, begin = book["rows"], place_of(book, number)
        end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith('{"ruling":')), len(lines))
        lines[begin:end] = change(lines[begin:end])

    return Forgery("public", edit, why)


def split_outcomes(lines: list[str]) -> list[list[str]]:
    """Return the lines of a correction, split into its head and each outcome, without the rest."""
    starts = [0, *(at for at, one in enumerate(lines) if '"topic":"RulingRejudged.' in one)]
    return [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines) - 1], strict=True)]


def swap_outcomes(lines: list[str]) -> list[str]:
    """Return the lines of a correction with its first two outcomes swapped."""
    return [*(one for part in swap_neighbours(split_outcomes(lines), 1) for one in part), lines[-1]]


def drop_outcome(lines: list[str]) -> list[str]:
    """Return the lines of a correction without its first outcome."""
    head, _, *others = split_outcomes(lines)
    return [*head, *(one for part in others for one in part), lines[-1]]


def hash_outcome(lines: list[str]) -> list[str]:
    """Return the lines of a correction with a hash in place of its last rows."""
    return [*lines[:-2], f'{{"hash":"{ZEROS}"}}', lines[-1]]


def change_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with another hash in the rest."""
    *others, rest = lines
    return [*others, rest.replace(json.loads(rest)["rest"][-1], "f" * 64)]


def reverse_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with the hashes of the rest in another order."""
    return [*lines[:-1], json.dumps({"rest": json.loads(lines[-1])["rest"][::-1]}, separators=(",", ":"))]


def shorten_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with one hash less in the rest."""
    return [*lines[:-1], json.dumps({"rest": json.loads(lines[-1])["rest"][1:]}, separators=(",", ":"))]


def reverse_fields(text: str) -> str:
    """Return the fields of a line in another order."""
    return json.dumps(dict(reversed(json.loads(text).items())), separators=(",", ":"))


def change_hash(lines: list[str]) -> list[str]:
    """Give the last line, which is hidden, another hash."""
    begin, name, found = lines[-1].partition('"hash":"')
    return [*lines[:-1], f'{begin}{name}{found[1:-2]}{found[0]}"}}']


def swap_hashes(lines: list[str]) -> list[str]:
    """Swap the hashes of the last two lines, which are hidden."""
    one, other = (json.loads(line)["hash"] for line in lines[-2:])
    return [*lines[:-2], lines[-2].replace(one, other), lines[-1].replace(other, one)]


def repeat_field(name: str) -> Callable[[list[str]], list[str]]:
    """Repeat a field of the last line."""

    def edit(lines: list[str]) -> list[str]:
        own = json.dumps(json.loads(lines[-1])[name], separators=(",", ":"))
        return [*lines[:-1], lines[-1].replace(f'"{name}":', f'"{name}":{own},"{name}":', 1)]

    return edit


def append_row(lines: list[str]) -> list[str]:
    """Add a row after the last line, which is hidden."""
    return [*lines, '{"topic":"RoundStarted.1","state":{"round":9}}']


def add_state(lines: list[str]) -> list[str]:
    """Add a topic and a state to the last line, which is hidden."""
    return [*lines[:-1], lines[-1][:-1] + ',"topic":"RoundStarted.1","state":{"round":9}}']


def change_face(event: Book) -> None:
    """Change the face of the die of an event."""
    event["die"]["face"] = event["die"]["face"] % 6 + 1


def change_commitment(commitment: str) -> Edit:
    """Commit to another seed, or to none ("")."""
    return combine_edits(
        change_event(1, "EncounterOpened", commitment=commitment), change_command(1, commitment=commitment)
    )


def change_revealed_seed(seed: str) -> Edit:
    """Reveal another seed at the end."""
    return combine_edits(change_event(14, "EncounterClosed", seed=seed), change_command(14, seed=seed))


def draw_after_the_end(log: list[Row]) -> list[Row]:
    """Repeat ruling 9 after the end, with drawn dice of its own."""
    begin, made = log[version_of(log, 9) - 1], log[version_of(log, 9, "AttackRolled") - 1]
    again = begin[2].replace(b'"ruling":9', b'"ruling":15'), made[2].replace(b'"9/', b'"15/')
    return [*log, (0, begin[1], again[0]), (0, made[1], again[1])]


def add_correction_with_other_face(log: list[Row]) -> list[Row]:
    """Add a correction that has another face of a drawn die."""
    made = edited(log, version_of(log, 9, "AttackRolled"), change_face)[version_of(log, 9, "AttackRolled") - 1]
    step = {"step": "strike", "ruling": 4}
    begin = {
        "seal": "",
        "ruling": 14,
        "at": "2026-01-01T00:00:00.000Z",
        "by": "",
        "steps": [step],
        "blinding": "00" * 16,
    }
    told = (0, "RulingRejudged.1", b'{"ruling":9,"verdict":"changed"}')
    return [*log, (0, "Correction.1", json.dumps(begin, separators=(",", ":")).encode()), told, made]


def redraw(ruling: int, topic: str, words: Sequence[str] = (), *, chooses: bool = True) -> Edit:
    """Change the face of a drawn die in the log and on the page, and reseal all rulings.

    The salt is chosen so that the seed gives the next face. Without a salt, the face is the one that the seed then
    gives.
    """

    def change(book: Book) -> None:
        log = rows_of(book["rows"])
        seed = bytes.fromhex(json.loads(log[-1][2])["seed"])
        version = version_of(log, ruling, topic)
        rolled = roll_of(json.loads(log[version - 1][2]))
        was = rolled["die"]["face"]
        key, face, salt = rolled["die"]["key"], was % int(rolled["die"]["kind"][1:]) + 1, ""
        if chooses:
            salt = next(one for one in (f"{n:032x}" for n in count()) if draw(seed, words, key, one) == face)
        else:
            face = draw(seed, words, key)
        assert face != was

        def turn(event: Book) -> None:
            told = roll_of(event)
            told["die"] |= {"face": face}
            told["die"].pop("salt", None)
            told["die"] |= {"salt": salt} if salt else {}
            told |= {name: told[name] - was + face for name in ("value", "total") if name in told}

        change_log(lambda rows: edited(rows, version, turn))(book)
        leaf = entry_of(book, ruling)
        leaf["rolls"][0] |= {"face": face, "total": leaf["rolls"][0]["total"] - was + face}
        for told in (leaf, leaf["frame"]):
            for name in {"line", "lead", "sentence"} & told.keys():
                told[name] = re.sub(rf"(\[|rolls ){was}\b", rf"\g<1>{face}", told[name])

    return change


def roll_of(event: Book) -> Book:
    """Return the first roll of an event."""
    found: Book = event["rolls"][0] if "rolls" in event else event
    return found


def change_die_of_log_line(book: Book) -> None:
    """Show another die in the line of the log."""
    told = entry_of(book, 17)
    told["line"] = told["line"].replace("[5!]", "[3!]")


def forge_salted_die(old: str, new: str, why: str) -> Forgery:
    """Change the die of ruling 5, which was drawn with a salt, and reseal all rulings."""

    def change(row: Row) -> Row:
        version, topic, state = row
        return (version, topic, re.sub(old.encode(), new.encode(), state)) if b'"5/' in state else row

    return Forgery("salted", change_log(lambda log: [change(row) for row in log]), why)


FORGERIES: dict[str, Forgery] = {
    # The form of lines.
    "a changed state beside its true hash": Forgery("thrown", add_other_state_to_hash, FORM),
    "a state twice": forge_line(',"state":', ',"state":{},"state":'),
    "a topic twice": forge_line('{"topic"', '{"topic":"Play.1","topic"'),
    "another field in a line": forge_line('{"topic"', '{"face":5,"topic"'),
    "a topic twice, once spelt otherwise": forge_line('{"topic"', '{"t\\u006fpic":"Play.1","topic"'),
    "a state twice, the other one last": Forgery(
        "thrown", change_line(17, "AttackRolled", lambda text: f'{text[:-1]},"state":{{}}}}'), FORM
    ),
    "a ruling twice": forge_head('"ruling":18', '"ruling":17,"ruling":18'),
    "a field of an order twice": forge_head('"command":{', '"command":{"do":"resolve",'),
    "a hash twice": forge_lines(repeat_field("hash"), FORM, "public"),
    "a seal twice": forge_lines(repeat_field("seal"), FORM, "public"),
    "a rest twice in a line": forge_ruling(24, repeat_field("rest"), FORM),
    "a space in a line": forge_line('{"topic"', '{ "topic"'),
    "a space in a state": forge_line('"state":{', '"state":{ ', SEALED),
    "fields in another order": Forgery("thrown", change_line(17, "AttackRolled", reverse_fields), FORM),
    "a ruling as text": forge_head('"ruling":18', '"ruling":"18"'),
    "a ruling as a fraction": forge_head('"ruling":18', '"ruling":18.0'),
    "a version in a line": forge_line('{"topic"', '{"v":43,"topic"'),
    "a line that is none": Forgery("thrown", change_line(18, "Play", lambda _: "hello"), FORM),
    # What is hidden.
    "a row hidden in the game master's log": hash_lines_and_show_other_die("thrown", ALONE, 1, 2),
    "a ruling hidden in the game master's log": hash_lines_and_show_other_die("thrown", MASTER, 0, 6),
    "a row hidden that everybody sees": hash_lines_and_show_other_die("public", ALONE, 1, 2),
    "all events hidden that everybody sees": hash_lines_and_show_other_die("public", ALONE, 1, 6),
    "a head hidden whose events everybody sees": hash_lines_and_show_other_die("public", ALONE, 0, 1),
    "another hash of a hidden ruling": forge_lines(change_hash, SEALED, "public"),
    "the hashes of two hidden rulings swapped": forge_lines(swap_hashes, SEALED, "public"),
    "two hidden rulings swapped": forge_lines(lambda lines: swap_neighbours(lines, len(lines) - 2), PLACE, "public"),
    "a hidden ruling left out": forge_lines(lambda lines: [*lines[:-2], lines[-1]], PLACE, "public"),
    "a state beside the hash of a hidden ruling": forge_lines(add_state, FORM, "public"),
    "a row after a hidden ruling": forge_lines(append_row, ALONE, "public"),
    "two outcomes swapped": forge_ruling(24, swap_outcomes, SEALED),
    "an outcome left out": forge_ruling(24, drop_outcome, SEALED),
    "a hash in the place of an outcome": forge_ruling(24, hash_outcome, SEALED),
    "another hash in the rest of a ruling": forge_ruling(24, change_rest, SEALED),
    "a rest with a hash less": forge_ruling(24, shorten_rest, FORM),
    "a rest in another order": forge_ruling(24, reverse_rest, FORM),
    "a rest left out": forge_ruling(24, lambda lines: lines[:-1], COUNT),
    "a rest twice": forge_ruling(24, lambda lines: [*lines, lines[-1]], PLACE),
    "a rest before the outcomes": forge_ruling(24, lambda lines: [lines[0], lines[-1], *lines[1:-1]], PLACE),
    "a rest where there are no outcomes": forge_ruling(
        17, lambda lines: [*lines, json.dumps({"rest": [ZEROS] * 7}, separators=(",", ":"))], COUNT
    ),
    # The chain.
    "no lines": forge_lines(lambda _: [], "the log does not have it"),
    "two lines swapped": forge_lines(lambda lines: swap_neighbours(lines, 42), SEALED),
    "a line left out": forge_lines(lambda lines: [*lines[:42], *lines[43:]], SEALED),
    "a line twice": forge_lines(lambda lines: [*lines, lines[-1]], SEALED),
    "the end cut off": forge_lines(lambda lines: lines[:59], "the log does not have it"),
    "another face": forge_line(FACE, '"face":5', SEALED),
    "another seal at the end": Forgery("thrown", lambda book: book.update(seal=ZEROS), "does not end with its seal"),
    "another number in a head": Forgery(
        "thrown", change_log(lambda log: edited(log, version_of(log, 17), set_to(ruling=16))), PLACE
    ),
    # Dice, with every ruling resealed.
    "a face that the die does not have": forge_die(FACE, '"face":7'),
    "a face of 0": forge_die(FACE, '"face":0'),
    "a face as text": forge_die(FACE, '"face":"6"'),
    "a face between two": forge_die(FACE, '"face":5.5'),
    "a die without a face": forge_die(f",{FACE}", ""),
    "a die without a kind": forge_die('"kind":"d6",', ""),
    "a kind that there is not": forge_die('/d6","kind":"d6"', '/d7","kind":"d7"'),
    "a kind that the key does not have": forge_die('"kind":"d6"', '"kind":"d8"'),
    "a die of another ruling": forge_die(KEY, KEY.replace("17", "8")),
    "a key in another form": forge_die(KEY, KEY.replace("17", "017")),
    "a die never thrown": forge_die('"source":"thrown"', '"source":"hypothetical"'),
    "a source that there is not": forge_die('"source":"thrown"', '"source":"loaded"'),
    "another field in a die": forge_die(FACE, '"face":6,"weight":1'),
    "a face twice": forge_die(FACE, '"face":5,"face":6', FORM),
    "a face twice, once spelt otherwise": forge_die(FACE, '"f\\u0061ce":5,"face":6', FORM),
    "two faces of one die": Forgery(
        "thrown",
        change_roll_text('"17/defense.clone/0/d6"', KEY, "CounterattackRolled"),
        "it shows two faces of one die",
    ),
    # Seeds, with every ruling resealed.
    "another drawn face": Forgery(
        "drawn",
        change_log(lambda log: edited(log, version_of(log, 9, "AttackRolled"), change_face)),
        "the revealed seed gives another die",
    ),
    "another face when judged again": Forgery(
        "open", change_log(add_correction_with_other_face), "shows another face than before"
    ),
    "another seed": Forgery("drawn", change_revealed_seed(ZEROS), "it reveals a seed that the log never committed to"),
    "a seed that is none": Forgery(
        "drawn", change_revealed_seed("who knows"), "it reveals a seed that the log never committed to"
    ),
    "another commitment": Forgery(
        "drawn", change_commitment(ZEROS), "it reveals a seed that the log never committed to"
    ),
    "no commitment": Forgery("open", change_commitment(""), "was drawn without a committed seed"),
    "another salt": forge_salted_die('"salt":"[^"]*"', f'"salt":"{"5" * 32}"', "the revealed seed gives another die"),
    "no salt": forge_salted_die(',"salt":"[^"]*"', "", "has no salt, but something was hidden before"),
    "a salt that is none": forge_salted_die('"salt":"[^"]*"', '"salt":"05"', IMPOSSIBLE),
    "a chosen salt where nothing was hidden": Forgery(
        "drawn", redraw(9, "AttackRolled", ("swordfish", "mellon")), "has a salt, but nothing was hidden before"
    ),
    "no salt, and the face that the seed gives so": Forgery(
        "salted", redraw(5, "SuccessRolled", chooses=False), "has no salt, but something was hidden before"
    ),
    "a salt of a thrown die": forge_salted_die('"drawn"', '"thrown"', IMPOSSIBLE),
    "another word of a player": Forgery(
        "drawn", change_command(2, word="melon"), "the revealed seed gives another die"
    ),
    "a die drawn after the end": Forgery(
        "drawn", change_log(draw_after_the_end), "was drawn after the seed was revealed"
    ),
    # What the page shows.
    "another face shown": forge_shown_roll(face=4),
    "a face shown that was amended since": forge_shown_roll(face=6, source="thrown"),
    "a die shown without its kind": forge_shown_roll(kind="", face=4),
    "a die shown without its key": forge_shown_roll(key="", face=4),
    "a number shown for a die": forge_shown_roll(key="", kind="", face=0, source=""),
    "a face shown as text": forge_shown_roll(face="5"),
    "another source shown": forge_shown_roll(source="drawn"),
    "another total shown": forge_shown_roll(total=12),
    "other modifiers shown": forge_shown_roll(modifiers=[]),
    "another roller shown": forge_shown_roll(combatant="clone"),
    "another face shown as played": forge_shown_roll("played", face=4),
    "a die shown twice": forge_shown_rolls(lambda told: [told[0], *told]),
    "a die not shown": forge_shown_rolls(lambda told: told[1:]),
    "dice shown in each other's place": forge_shown_rolls(lambda told: told[::-1]),
    "dice shown beside another fighter": forge_page(
        lambda book: [part.update(roll=1 - part["roll"]) for part in entry_of(book, 17)["duel"]["parts"]]
    ),
    "dice shown of another ruling": forge_page(
        lambda book: entry_of(book, 17).update(rolls=entry_of(book, 8)["rolls"])
    ),
    "another die in a sentence": forge_page(change_die_of_log_line, SENTENCE),
    "what was played not shown": forge_page(lambda book: book["played"].remove(entry_of(book, 17, "played"))),
    "a ruling not shown": forge_page(
        lambda book: book["entries"].remove(entry_of(book, 5)), "this page does not show it"
    ),
    "a ruling shown twice": forge_page(
        lambda book: book["entries"].append(entry_of(book, 17)), "this page shows it twice"
    ),
    "a ruling shown that is not there": forge_page(
        lambda book: book["entries"].append({"frame": {"number": 99, "sentence": "Modre wins."}}),
        "the log does not have it",
    ),
    "rulings shown in another order": forge_page(change_list("entries", lambda told: swap_neighbours(told, 4)), PLACE),
    "a ruling shown as hidden": show_as_hidden("thrown", 17),
    "a ruling without dice shown as hidden": show_as_hidden("thrown", 5),
    "a ruling shown as hidden beside hidden ones": show_as_hidden("unseen", 5),
    "a ruling shown as hidden before corrections and hidden ones": show_as_hidden("public", 17),
    "a note shown as hidden": show_as_hidden("public", 23),
    "a correction shown as hidden": show_as_hidden("public", 25),
    "a ruling shown as hidden as played": show_as_hidden("public", 17, "played"),
    "dice left out as if an older correction had judged them": forge_page(
        lambda book: entry_of(book, 17).update(frame=entry_of(book, 17)["frame"] | {"rejudged_by": 22}, rolls=[])
    )._replace(fight="public"),
    "another face shown beside hidden rows": forge_shown_roll(face=4)._replace(fight="public"),
    "another drawn die shown": Forgery(
        "drawn", lambda book: change_face({"die": entry_of(book, 9)["rolls"][0]}), OTHER, shows=True
    ),
    "an insert shown at the end": move_entry(30, 23),
    "an insert shown one ruling too late": move_entry(30, 1),
    "an insert shown before the ruling that it follows": move_entry(30, -1),
    "a remark shown before what it is about": move_entry(27, -20),
    "a hidden ruling shown earlier": move_entry(27, -9, "public"),
    "a roll shown as that of nobody": forge_page(show_unknown_roller),
    "a roll shown under another name": forge_shown_roll(name="Clone"),
    "a roll shown as one that is hidden": forge_shown_roll(combatant="", name="somebody hidden"),
    "an attack shown as a defense": forge_page(swap_roles),
    "a fighter shown under another name": forge_page(
        lambda book: entry_of(book, 17)["duel"]["parts"][0].update(name="Clone")
    ),
    "a modifier shown as text": forge_shown_modifier(value="1"),
    "two modifiers shown as one": forge_shown_roll(modifiers=[{"name": "Ice Blade", "value": "1,2", "rule": ""}]),
    "another modifier shown": forge_shown_modifier(name="a magic ring"),
    "a modifier shown by another rule": forge_shown_modifier(rule=""),
    "a die in a sentence that somebody wrote as a remark": forge_sentence("[2]", "[6]", 8, "written"),
    "a die more in a sentence, that somebody wrote elsewhere": forge_sentence("ends", "ends [6]", 9, "written"),
    "a die in a sentence from the words beside it": forge_sentence("[3]", "[4]", 29, "written"),
    "a part of what somebody wrote in a sentence": forge_sentence("leap [4] or", "leap [6] or", 29, "written"),
    "a die in a sentence thrown that was amended": forge_sentence("[5!]", "[5]"),
    "a die in a sentence in wide digits": forge_sentence("[5!]", "[\uff15!]"),
    "a die in a sentence with a sign that nobody sees": forge_sentence("[5!]", "[\u200b5!]"),
    "a die in a sentence in other brackets": forge_sentence("[5!]", "⟦6⟧"),
    "a die in a sentence as a picture": forge_sentence("Modre", "⚅ Modre"),
    "a die in a sentence in a circle": forge_sentence("Modre", "Modre ⑥"),
    "a die in a sentence under a mark": forge_sentence("Modre", "Modre 6\u20de"),
    "dice in a sentence in each other's place": forge_sentence("[5!]+2+1 = 8 vs [4]", "[4]+2+1 = 8 vs [5!]"),
    "a die in a sentence left out": forge_sentence("[5!]", "5"),
    "a die in a sentence twice": forge_sentence("[5!]", "[5!]+[5!]"),
    "a die in words": forge_sentence("hits", "rolls 6 (thrown), and hits"),
    "dice in the sentence of a ruling without any": forge_sentence(
        "Modre attacks Clone", "Modre → Clone: [1]+2 = 3 vs [6] = 6, miss", 6
    ),
    "dice in the sentence of a remark": forge_sentence("Bob", "[6] Bob", 23),
}

UNPROVEN = {
    "a chosen salt in the place of another": Forgery("salted", redraw(5, "SuccessRolled"), ""),
}
"""Forged dice that only a noted seal reveals: the check counts them, but not as proven."""

UNSEEN = {
    "a hidden ruling told": show_hidden_fields(26, frame={"number": 26, "sentence": "Bo is dead."}),
    "a hidden ruling told in a line": show_hidden_fields(26, line="Bo is dead"),
    "a hidden ruling told beside the dice": show_hidden_fields(26, consequences=["Bo is dead."]),
    "a hash in the place of a ruling that is told": Forgery("public", hash_ruling_and_show_other_die, "17", shows=True),
    "dice left out as if what is hidden had judged them": Forgery(
        "public",
        lambda book: entry_of(book, 17).update(frame=entry_of(book, 17)["frame"] | {"rejudged_by": 26}, rolls=[]),
        "17",
        shows=True,
    ),
}
"""Forged hidden rulings that look like revealed ones: the page says that it cannot check them."""
