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
    Edit,
    Told,
    fold,
    honest,
    leaf_of,
    on_command,
    on_event,
    on_line,
    on_list,
    on_log,
    on_text,
    place_of,
    rows_of,
    together,
)
from tests.verification.forge import Row, edited, set_to, version_of


class Forgery(NamedTuple):
    """A change of the book of that fight, and words of what the page says to it.

    It is a change of its log, or (`shows`) only of what the page shows beside that.
    """

    fight: str
    change: Edit
    why: str
    shows: bool = False

    def forged(self) -> Told:
        """Return the book with that change in it."""
        book = honest(self.fight)
        self.change(book)
        assert book != honest(self.fight)
        return book


FORM, PLACE, SEALED = (
    "it has a line that no export contains",
    "in the wrong place",
    "it was altered after it was sealed",
)
MASTER, ALONE = "a page of the game master cannot hide anything", "it hides only some rows, which no export does"
IMPOSSIBLE, OTHER = "it has an impossible die", "this page shows other dice than the log"
SENTENCE = "a sentence on this page has another die than the log"
COUNT = "it does not hide the number of its outcomes"
FACE, KEY, ZEROS = '"face":6', '"17/attack.modre/0/d6"', "00" * 32


def line(old: str, new: str, why: str = FORM, ruling: int = 17, topic: str = "AttackRolled") -> Forgery:
    """Change the text of a line, and seal nothing."""
    return Forgery("thrown", on_line(ruling, topic, lambda text: text.replace(old, new, 1)), why)


def head(old: str, new: str) -> Forgery:
    """Change the text of the line with which ruling 18 begins."""
    return line(old, new, ruling=18, topic="Play")


def rows(change: Callable[[list[str]], list[str]], why: str, fight: str = "thrown") -> Forgery:
    """Change the lines, and seal nothing."""
    return Forgery(fight, on_list("rows", change), why)


def die(old: str, new: str, why: str = IMPOSSIBLE) -> Forgery:
    """Change the text of the die of the attack in ruling 17, and reseal all rulings."""
    return Forgery("thrown", on_text(old, new), why)


def shown(change: Edit, why: str = OTHER) -> Forgery:
    """Change what the page shows, and nothing in the log."""
    return Forgery("thrown", change, why, shows=True)


def roll(leaves: str = "leaves", **fields: Any) -> Forgery:
    """Give fields of the first roll anew that the page shows for ruling 17."""
    return shown(lambda book: leaf_of(book, 17, leaves)["rolls"][0].update(fields))


def rolls(change: Callable[[list[Told]], list[Told]]) -> Forgery:
    """Change the rolls that the page shows for ruling 17."""
    return shown(lambda book: leaf_of(book, 17).update(rolls=change(leaf_of(book, 17)["rolls"])))


def words(old: str, new: str, ruling: int = 17, fight: str = "thrown") -> Forgery:
    """Change the text of the sentences that the page shows for a ruling."""

    def edit(book: Told) -> None:
        told = leaf_of(book, ruling)
        told |= {name: told[name].replace(old, new, 1) for name in ("line", "lead")}
        told["frame"]["sentence"] = told["frame"]["sentence"].replace(old, new, 1)

    return Forgery(fight, edit, SENTENCE, shows=True)


def modifier(**fields: Any) -> Forgery:
    """Give fields of the first modifier anew that the page shows for the first roll of ruling 17."""
    return shown(lambda book: leaf_of(book, 17)["rolls"][0]["modifiers"][0].update(fields))


def roles_swapped(book: Told) -> None:
    """Show in ruling 8 each roll as what the other is for."""
    one, other = leaf_of(book, 8)["rolls"]
    one["what"], other["what"] = other["what"], one["what"]


def somebody(book: Told) -> None:
    """Show the first roll of ruling 17 as that of nobody in the log, outside the exchange."""
    told = leaf_of(book, 17)
    del told["duel"]
    told["rolls"][0] |= {"combatant": "", "name": "Dov"}


def moved(ruling: int, steps: int, fight: str = "written") -> Forgery:
    """Show a ruling so many leaves later, or earlier."""

    def change(told: list[Told]) -> list[Told]:
        at = next(at for at, leaf in enumerate(told) if leaf["frame"]["number"] == ruling)
        others = [*told[:at], *told[at + 1 :]]
        return [*others[: at + steps], told[at], *others[at + steps :]]

    return Forgery(fight, on_list("leaves", change), PLACE, shows=True)


def told_of(ruling: int, **fields: Any) -> Forgery:
    """Add fields to a ruling that the log hides."""
    return Forgery("public", lambda book: leaf_of(book, ruling).update(fields), str(ruling), shows=True)


def folded(book: Told) -> None:
    """Replace ruling 17 by a hash, and show it with another die."""
    fold(book, 17)
    leaf_of(book, 17)["rolls"][0]["face"] = 4


def veiled(fight: str, ruling: int, leaves: str = "leaves") -> Forgery:
    """Show a ruling as one that is hidden from this page."""

    def edit(book: Told) -> None:
        told = leaf_of(book, ruling, leaves)
        told |= {"frame": {"number": ruling, "hidden": True}, "rolls": [], "line": "", "lead": ""}

    return Forgery(fight, edit, "this page hides it, but the log does not", shows=True)


def swapped(many: list[Any], place: int) -> list[Any]:
    """Return them with two neighbours in each other's place."""
    return [*many[:place], many[place + 1], many[place], *many[place + 2 :]]


def hidden(fight: str, why: str, first: int, behind: int) -> Forgery:
    """Replace lines of ruling 17, counted from its head, by a hash, and show another die."""

    def edit(book: Told) -> None:
        fold(book, 17, first, behind)
        leaf_of(book, 17)["rolls"][0]["face"] = 4

    return Forgery(fight, edit, why)


def both(book: Told) -> None:
    """Give a line its true hash, and beside it another state."""
    place = place_of(book, 17, "AttackRolled")
    text = book["rows"][place]
    fold(book, 17, place - place_of(book, 17), place - place_of(book, 17) + 1)
    found = json.loads(book["rows"][place])["hash"]
    book["rows"][place] = text.replace(FACE, '"face":5').replace(',"state":', f',"hash":"{found}","state":')


def of_ruling(number: int, change: Callable[[list[str]], list[str]], why: str) -> Forgery:
    """Change the lines of a ruling in the public log, and seal nothing."""

    def edit(book: Told) -> None:
        lines, begin = book["rows"], place_of(book, number)
        end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith('{"ruling":')), len(lines))
        lines[begin:end] = change(lines[begin:end])

    return Forgery("public", edit, why)


def outcomes(lines: list[str]) -> list[list[str]]:
    """Return the lines of a correction, its head and each outcome for itself, without the rest."""
    starts = [0, *(at for at, one in enumerate(lines) if '"topic":"RulingRejudged.' in one)]
    return [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines) - 1], strict=True)]


def outcomes_swapped(lines: list[str]) -> list[str]:
    """Return the lines of a correction with its first two outcomes in each other's place."""
    return [*(one for part in swapped(outcomes(lines), 1) for one in part), lines[-1]]


def outcome_left_out(lines: list[str]) -> list[str]:
    """Return the lines of a correction without its first outcome."""
    head, _, *others = outcomes(lines)
    return [*head, *(one for part in others for one in part), lines[-1]]


def outcome_hidden(lines: list[str]) -> list[str]:
    """Return the lines of a correction with the hash of its last rows in the place of these."""
    return [*lines[:-2], f'{{"hash":"{ZEROS}"}}', lines[-1]]


def other_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with another hash in the rest."""
    *others, rest = lines
    return [*others, rest.replace(json.loads(rest)["rest"][-1], "f" * 64)]


def turned_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with the hashes of the rest in another order."""
    return [*lines[:-1], json.dumps({"rest": json.loads(lines[-1])["rest"][::-1]}, separators=(",", ":"))]


def less_rest(lines: list[str]) -> list[str]:
    """Return the lines of a correction with one hash less in the rest."""
    return [*lines[:-1], json.dumps({"rest": json.loads(lines[-1])["rest"][1:]}, separators=(",", ":"))]


def backwards(text: str) -> str:
    """Return the fields of a line in another order."""
    return json.dumps(dict(reversed(json.loads(text).items())), separators=(",", ":"))


def other_hash(lines: list[str]) -> list[str]:
    """Give the last line, which is hidden, another hash."""
    begin, name, found = lines[-1].partition('"hash":"')
    return [*lines[:-1], f'{begin}{name}{found[1:-2]}{found[0]}"}}']


def hashes_swapped(lines: list[str]) -> list[str]:
    """Give the last two lines, which are hidden, each other's hash."""
    one, other = (json.loads(line)["hash"] for line in lines[-2:])
    return [*lines[:-2], lines[-2].replace(one, other), lines[-1].replace(other, one)]


def twice(name: str) -> Callable[[list[str]], list[str]]:
    """Give the last line a field of that name once more, before its own."""

    def edit(lines: list[str]) -> list[str]:
        own = json.dumps(json.loads(lines[-1])[name], separators=(",", ":"))
        return [*lines[:-1], lines[-1].replace(f'"{name}":', f'"{name}":{own},"{name}":', 1)]

    return edit


def shown_beside(lines: list[str]) -> list[str]:
    """Add a row of its own to the last line, which is hidden."""
    return [*lines, '{"topic":"RoundStarted.1","state":{"round":9}}']


def state_beside(lines: list[str]) -> list[str]:
    """Give the last line, which is hidden, a topic and a state beside its hash."""
    return [*lines[:-1], lines[-1][:-1] + ',"topic":"RoundStarted.1","state":{"round":9}}']


def turned(event: Told) -> None:
    """Turn the die of an event to another face."""
    event["die"]["face"] = event["die"]["face"] % 6 + 1


def committing(commitment: str) -> Edit:
    """Commit to another seed, or ("") to none."""
    return together(on_event(1, "EncounterOpened", commitment=commitment), on_command(1, commitment=commitment))


def revealing(seed: str) -> Edit:
    """Reveal another seed at the end."""
    return together(on_event(14, "EncounterClosed", seed=seed), on_command(14, seed=seed))


def drawn_late(log: list[Row]) -> list[Row]:
    """Repeat ruling 9 after the end, with drawn dice of its own."""
    begin, made = log[version_of(log, 9) - 1], log[version_of(log, 9, "AttackRolled") - 1]
    again = begin[2].replace(b'"ruling":9', b'"ruling":15'), made[2].replace(b'"9/', b'"15/')
    return [*log, (0, begin[1], again[0]), (0, made[1], again[1])]


def judged_otherwise(log: list[Row]) -> list[Row]:
    """Add a correction that tells another face of a die that was drawn."""
    made = edited(log, version_of(log, 9, "AttackRolled"), turned)[version_of(log, 9, "AttackRolled") - 1]
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


def redrawn(ruling: int, topic: str, words: Sequence[str] = (), *, chooses: bool = True) -> Edit:
    """Give a drawn die another face, in the log and on the page, and recompute all seals.

    The salt is chosen so that the seed gives the next face. Without a salt, the face is the one that the seed then
    gives.
    """

    def change(book: Told) -> None:
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

        def turn(event: Told) -> None:
            told = roll_of(event)
            told["die"] |= {"face": face}
            told["die"].pop("salt", None)
            told["die"] |= {"salt": salt} if salt else {}
            told |= {name: told[name] - was + face for name in ("value", "total") if name in told}

        on_log(lambda rows: edited(rows, version, turn))(book)
        leaf = leaf_of(book, ruling)
        leaf["rolls"][0] |= {"face": face, "total": leaf["rolls"][0]["total"] - was + face}
        for told in (leaf, leaf["frame"]):
            for name in {"line", "lead", "sentence"} & told.keys():
                told[name] = re.sub(rf"(\[|rolls ){was}\b", rf"\g<1>{face}", told[name])

    return change


def roll_of(event: Told) -> Told:
    """Return the first roll of an event."""
    found: Told = event["rolls"][0] if "rolls" in event else event
    return found


def other_words(book: Told) -> None:
    """Show another die in the line of the log."""
    told = leaf_of(book, 17)
    told["line"] = told["line"].replace("[5!]", "[3!]")


def salted(old: str, new: str, why: str) -> Forgery:
    """Change the die of ruling 5, which was drawn with a salt, and reseal all rulings."""

    def change(row: Row) -> Row:
        version, topic, state = row
        return (version, topic, re.sub(old.encode(), new.encode(), state)) if b'"5/' in state else row

    return Forgery("salted", on_log(lambda log: [change(row) for row in log]), why)


FORGERIES: dict[str, Forgery] = {
    # The form of lines.
    "a changed state beside its true hash": Forgery("thrown", both, FORM),
    "a state twice": line(',"state":', ',"state":{},"state":'),
    "a topic twice": line('{"topic"', '{"topic":"Play.1","topic"'),
    "another field in a line": line('{"topic"', '{"face":5,"topic"'),
    "a topic twice, once spelt otherwise": line('{"topic"', '{"t\\u006fpic":"Play.1","topic"'),
    "a state twice, the other one last": Forgery(
        "thrown", on_line(17, "AttackRolled", lambda text: f'{text[:-1]},"state":{{}}}}'), FORM
    ),
    "a ruling twice": head('"ruling":18', '"ruling":17,"ruling":18'),
    "a field of an order twice": head('"command":{', '"command":{"do":"resolve",'),
    "a hash twice": rows(twice("hash"), FORM, "public"),
    "a seal twice": rows(twice("seal"), FORM, "public"),
    "a rest twice in a line": of_ruling(24, twice("rest"), FORM),
    "a space in a line": line('{"topic"', '{ "topic"'),
    "a space in a state": line('"state":{', '"state":{ ', SEALED),
    "fields in another order": Forgery("thrown", on_line(17, "AttackRolled", backwards), FORM),
    "a ruling as text": head('"ruling":18', '"ruling":"18"'),
    "a ruling as a fraction": head('"ruling":18', '"ruling":18.0'),
    "a version in a line": line('{"topic"', '{"v":43,"topic"'),
    "a line that is none": Forgery("thrown", on_line(18, "Play", lambda _: "hello"), FORM),
    # What is hidden.
    "a row hidden in the game master's log": hidden("thrown", ALONE, 1, 2),
    "a ruling hidden in the game master's log": hidden("thrown", MASTER, 0, 6),
    "a row hidden that everybody sees": hidden("public", ALONE, 1, 2),
    "all events hidden that everybody sees": hidden("public", ALONE, 1, 6),
    "a head hidden whose events everybody sees": hidden("public", ALONE, 0, 1),
    "another hash of a hidden ruling": rows(other_hash, SEALED, "public"),
    "the hashes of two hidden rulings swapped": rows(hashes_swapped, SEALED, "public"),
    "two hidden rulings swapped": rows(lambda lines: swapped(lines, len(lines) - 2), PLACE, "public"),
    "a hidden ruling left out": rows(lambda lines: [*lines[:-2], lines[-1]], PLACE, "public"),
    "a state beside the hash of a hidden ruling": rows(state_beside, FORM, "public"),
    "a row after a hidden ruling": rows(shown_beside, ALONE, "public"),
    "two outcomes swapped": of_ruling(24, outcomes_swapped, SEALED),
    "an outcome left out": of_ruling(24, outcome_left_out, SEALED),
    "a hash in the place of an outcome": of_ruling(24, outcome_hidden, SEALED),
    "another hash in the rest of a ruling": of_ruling(24, other_rest, SEALED),
    "a rest with a hash less": of_ruling(24, less_rest, FORM),
    "a rest in another order": of_ruling(24, turned_rest, FORM),
    "a rest left out": of_ruling(24, lambda lines: lines[:-1], COUNT),
    "a rest twice": of_ruling(24, lambda lines: [*lines, lines[-1]], PLACE),
    "a rest before the outcomes": of_ruling(24, lambda lines: [lines[0], lines[-1], *lines[1:-1]], PLACE),
    "a rest where there are no outcomes": of_ruling(
        17, lambda lines: [*lines, json.dumps({"rest": [ZEROS] * 7}, separators=(",", ":"))], COUNT
    ),
    # The chain.
    "no lines": rows(lambda _: [], "the log does not have it"),
    "two lines swapped": rows(lambda lines: swapped(lines, 42), SEALED),
    "a line left out": rows(lambda lines: [*lines[:42], *lines[43:]], SEALED),
    "a line twice": rows(lambda lines: [*lines, lines[-1]], SEALED),
    "the end cut off": rows(lambda lines: lines[:59], "the log does not have it"),
    "another face": line(FACE, '"face":5', SEALED),
    "another seal at the end": Forgery("thrown", lambda book: book.update(seal=ZEROS), "does not end with its seal"),
    "another number in a head": Forgery(
        "thrown", on_log(lambda log: edited(log, version_of(log, 17), set_to(ruling=16))), PLACE
    ),
    # Dice, and every seal made anew.
    "a face that the die does not have": die(FACE, '"face":7'),
    "a face of 0": die(FACE, '"face":0'),
    "a face as text": die(FACE, '"face":"6"'),
    "a face between two": die(FACE, '"face":5.5'),
    "a die without a face": die(f",{FACE}", ""),
    "a die without a kind": die('"kind":"d6",', ""),
    "a kind that there is not": die('/d6","kind":"d6"', '/d7","kind":"d7"'),
    "a kind that the key does not have": die('"kind":"d6"', '"kind":"d8"'),
    "a die of another ruling": die(KEY, KEY.replace("17", "8")),
    "a key in another form": die(KEY, KEY.replace("17", "017")),
    "a die never thrown": die('"source":"thrown"', '"source":"hypothetical"'),
    "a source that there is not": die('"source":"thrown"', '"source":"loaded"'),
    "another field in a die": die(FACE, '"face":6,"weight":1'),
    "a face twice": die(FACE, '"face":5,"face":6', FORM),
    "a face twice, once spelt otherwise": die(FACE, '"f\\u0061ce":5,"face":6', FORM),
    "two faces of one die": Forgery(
        "thrown", on_text('"17/defense.clone/0/d6"', KEY, "CounterattackRolled"), "it shows two faces of one die"
    ),
    # Seeds, and every seal made anew.
    "another drawn face": Forgery(
        "drawn",
        on_log(lambda log: edited(log, version_of(log, 9, "AttackRolled"), turned)),
        "the revealed seed gives another die",
    ),
    "another face when judged again": Forgery("open", on_log(judged_otherwise), "shows another face than before"),
    "another seed": Forgery("drawn", revealing(ZEROS), "it reveals another seed than the committed one"),
    "a seed that is none": Forgery("drawn", revealing("who knows"), "it reveals another seed than the committed one"),
    "another commitment": Forgery("drawn", committing(ZEROS), "it reveals another seed than the committed one"),
    "no commitment": Forgery("open", committing(""), "was drawn without a committed seed"),
    "another salt": salted('"salt":"[^"]*"', f'"salt":"{"5" * 32}"', "the revealed seed gives another die"),
    "no salt": salted(',"salt":"[^"]*"', "", "has no salt, but something was hidden before"),
    "a salt that is none": salted('"salt":"[^"]*"', '"salt":"05"', IMPOSSIBLE),
    "a chosen salt where nothing was hidden": Forgery(
        "drawn", redrawn(9, "AttackRolled", ("swordfish", "mellon")), "has a salt, but nothing was hidden by then"
    ),
    "no salt, and the face that the seed gives so": Forgery(
        "salted", redrawn(5, "SuccessRolled", chooses=False), "has no salt, but something was hidden before"
    ),
    "a salt of a thrown die": salted('"drawn"', '"thrown"', IMPOSSIBLE),
    "another word of a player": Forgery("drawn", on_command(2, word="melon"), "the revealed seed gives another die"),
    "a die drawn after the end": Forgery("drawn", on_log(drawn_late), "was drawn after the seed was revealed"),
    # What the page shows.
    "another face shown": roll(face=4),
    "a face shown that was amended since": roll(face=6, source="thrown"),
    "a die shown without its kind": roll(kind="", face=4),
    "a die shown without its key": roll(key="", face=4),
    "a number shown for a die": roll(key="", kind="", face=0, source=""),
    "a face shown as text": roll(face="5"),
    "another source shown": roll(source="drawn"),
    "another total shown": roll(total=12),
    "other modifiers shown": roll(modifiers=[]),
    "another roller shown": roll(combatant="clone"),
    "another face shown as played": roll("played", face=4),
    "a die shown twice": rolls(lambda told: [told[0], *told]),
    "a die not shown": rolls(lambda told: told[1:]),
    "dice shown in each other's place": rolls(lambda told: told[::-1]),
    "dice shown beside another fighter": shown(
        lambda book: [part.update(roll=1 - part["roll"]) for part in leaf_of(book, 17)["duel"]["parts"]]
    ),
    "dice shown of another ruling": shown(lambda book: leaf_of(book, 17).update(rolls=leaf_of(book, 8)["rolls"])),
    "another die in a sentence": shown(other_words, SENTENCE),
    "what was played not shown": shown(lambda book: book["played"].remove(leaf_of(book, 17, "played"))),
    "a ruling not shown": shown(lambda book: book["leaves"].remove(leaf_of(book, 5)), "this page does not show it"),
    "a ruling shown twice": shown(lambda book: book["leaves"].append(leaf_of(book, 17)), "this page shows it twice"),
    "a ruling shown that is not there": shown(
        lambda book: book["leaves"].append({"frame": {"number": 99, "sentence": "Modre wins."}}),
        "the log does not have it",
    ),
    "rulings shown in another order": shown(on_list("leaves", lambda told: swapped(told, 4)), PLACE),
    "a ruling shown as hidden": veiled("thrown", 17),
    "a ruling without dice shown as hidden": veiled("thrown", 5),
    "a ruling shown as hidden beside hidden ones": veiled("unseen", 5),
    "a ruling shown as hidden before corrections and hidden ones": veiled("public", 17),
    "a note shown as hidden": veiled("public", 23),
    "a correction shown as hidden": veiled("public", 25),
    "a ruling shown as hidden as played": veiled("public", 17, "played"),
    "dice left out as if an older correction had judged them": shown(
        lambda book: leaf_of(book, 17).update(frame=leaf_of(book, 17)["frame"] | {"rejudged_by": 22}, rolls=[])
    )._replace(fight="public"),
    "another face shown beside hidden rows": roll(face=4)._replace(fight="public"),
    "another drawn die shown": Forgery(
        "drawn", lambda book: turned({"die": leaf_of(book, 9)["rolls"][0]}), OTHER, shows=True
    ),
    "an insert shown at the end": moved(30, 23),
    "an insert shown one ruling too late": moved(30, 1),
    "an insert shown before the ruling that it follows": moved(30, -1),
    "a remark shown before what it is about": moved(27, -20),
    "a hidden ruling shown earlier": moved(27, -9, "public"),
    "a roll shown as that of nobody": shown(somebody),
    "a roll shown under another name": roll(name="Clone"),
    "a roll shown as one that is hidden": roll(combatant="", name="somebody unseen"),
    "an attack shown as a defense": shown(roles_swapped),
    "a fighter shown under another name": shown(
        lambda book: leaf_of(book, 17)["duel"]["parts"][0].update(name="Clone")
    ),
    "a modifier shown as text": modifier(value="1"),
    "two modifiers shown as one": roll(modifiers=[{"name": "Ice Blade", "value": "1,2", "rule": ""}]),
    "another modifier shown": modifier(name="a magic ring"),
    "a modifier shown by another rule": modifier(rule=""),
    "a die in a sentence that somebody wrote as a remark": words("[2]", "[6]", 8, "written"),
    "a die more in a sentence, that somebody wrote elsewhere": words("ends", "ends [6]", 9, "written"),
    "a die in a sentence from the words beside it": words("[3]", "[4]", 29, "written"),
    "a part of what somebody wrote in a sentence": words("leap [4] or", "leap [6] or", 29, "written"),
    "a die in a sentence thrown that was amended": words("[5!]", "[5]"),
    "a die in a sentence in wide digits": words("[5!]", "[\uff15!]"),
    "a die in a sentence with a sign that nobody sees": words("[5!]", "[\u200b5!]"),
    "a die in a sentence in other brackets": words("[5!]", "⟦6⟧"),
    "a die in a sentence as a picture": words("Modre", "⚅ Modre"),
    "a die in a sentence in a circle": words("Modre", "Modre ⑥"),
    "a die in a sentence under a mark": words("Modre", "Modre 6\u20de"),
    "dice in a sentence in each other's place": words("[5!]+2+1 = 8 vs [4]", "[4]+2+1 = 8 vs [5!]"),
    "a die in a sentence left out": words("[5!]", "5"),
    "a die in a sentence twice": words("[5!]", "[5!]+[5!]"),
    "a die in words": words("hits", "rolls 6 (thrown), and hits"),
    "dice in the sentence of a ruling without any": words(
        "Modre attacks Clone", "Modre → Clone: [1]+2 = 3 vs [6] = 6, miss", 6
    ),
    "dice in the sentence of a remark": words("Bob", "[6] Bob", 23),
}

UNPROVEN = {
    "a chosen salt in the place of another": Forgery("salted", redrawn(5, "SuccessRolled"), ""),
}
"""Forgeries of dice that only a noted seal shows: such dice are counted, and none of them as proven."""

UNSEEN = {
    "a hidden ruling told": told_of(26, frame={"number": 26, "sentence": "Bo is dead."}),
    "a hidden ruling told in a line": told_of(26, line="Bo is dead"),
    "a hidden ruling told beside the dice": told_of(26, then=["Bo is dead."]),
    "a hash in the place of a ruling that is told": Forgery("public", folded, "17", shows=True),
    "dice left out as if what is hidden had judged them": Forgery(
        "public",
        lambda book: leaf_of(book, 17).update(frame=leaf_of(book, 17)["frame"] | {"rejudged_by": 26}, rolls=[]),
        "17",
        shows=True,
    ),
}
"""Forgeries of what is hidden, which a page cannot tell from what was revealed: it says that it cannot check them."""
