"""Every command by section: the module it lives in and its one sentence, so that help need not import them.

`make manual` makes the lines of orders; each stays where it is put.
"""

from __future__ import annotations

from typing import NamedTuple


class Listed(NamedTuple):
    """The place where a command is defined (`cli.MODULE`) and the sentence that lists it."""

    module: str
    short: str


SECTIONS: dict[str, dict[str, Listed]] = {
    "Fight": {
        "new": Listed("opening", "Begin a fight: an empty encounter, or one with a party."),
        "join": Listed("joining", "Bring a combatant into the fight."),
        "initiative": Listed("initiative", "Settle who begins, or roll for it."),
        "roster": Listed("roster", "List the characters who can join by name, or keep one."),
        "table": Listed("shell.table", "Play an evening in a shell: short lines, completion, everybody's state."),
        "do": Listed("doing", "Give orders as one short line."),
        "next": Listed("doing", "End the turn in progress and begin the next one."),
        "begin-turn": Listed("ordering", "Begin the next combatant's turn."),
        "ready": Listed("ordering", "Move points into the ready pool."),
        "attack": Listed("ordering", "Declare an attack."),
        "act": Listed("exchanges", "Do something other than attack."),
        "defend": Listed("ordering", "React to an attack: points into defense."),
        "parry": Listed("ordering", "React to an attack: parry."),
        "counterattack": Listed("ordering", "React to an attack: strike back."),
        "pass": Listed("ordering", "Let an attack come, without a reaction."),
        "interfere": Listed("ordering", "Try to stop somebody's action."),
        "resolve": Listed("ordering", "Roll the dice of an exchange and judge it."),
        "throw-die": Listed(
            "ordering", "Give the die of one's own roll in the open exchange, or leave it to be drawn."
        ),
        "draw-bow": Listed("ordering", "Draw a bow, or a crossbow without a lever."),
        "lower-bow": Listed("ordering", "Let a drawn bow down without a shot."),
        "load": Listed("ordering", "Load a gun, or a crossbow by its lever."),
        "unload": Listed("ordering", "Unload a crossbow or a gun."),
        "begin-heave": Listed("ordering", "Begin to heave something unwieldy."),
        "move": Listed("turns", "Move."),
        "ready-weapon": Listed("ordering", "Take a weapon in hand."),
        "drop-item": Listed("ordering", "Drop something carried."),
        "pick-up-item": Listed("ordering", "Pick up something dropped."),
        "manipulate": Listed("grappling", "Get to grips with somebody: disarm, hold, choke, wrench, throw."),
        "tackle": Listed("ordering", "Try to stop somebody's action by taking hold of them."),
        "maintain-grapple": Listed("ordering", "Keep a hold up for another turn."),
        "escape": Listed("ordering", "Try to get out of a hold."),
        "release": Listed("ordering", "Let go of a hold."),
        "evade": Listed("ordering", "Move defensively."),
        "drop": Listed("ordering", "Get down on the ground."),
        "stand": Listed("ordering", "Stand up."),
        "instant-stand": Listed("ordering", "Stand up evading, by a roll."),
        "rest": Listed("ordering", "Rest in the middle of a fight."),
        "aim": Listed("ordering", "Aim what is shot or thrown."),
        "take-position": Listed("ordering", "Settle who is dominant in a grapple."),
        "end-turn": Listed("ordering", "End the turn."),
        "mount": Listed("ordering", "Get on an animal or into a vehicle."),
        "dismount": Listed("ordering", "Get off."),
        "stay-mounted": Listed("ordering", "Roll to stay in the saddle."),
        "restrain-mount": Listed("ordering", "Roll to hold an animal back."),
        "ram": Listed("ordering", "Drive a vehicle into something."),
        "stalk": Listed("ordering", "Try to surprise somebody before the fight."),
        "establish-surprise": Listed("ordering", "Settle what the stalking came to."),
        "take-posture": Listed("ordering", "Begin the fight evading, or ready to counter."),
        "skip-turn": Listed("ordering", "Let a turn pass."),
        "delay-turn": Listed("ordering", "Put a turn off until after somebody else's."),
        "declare-combo": Listed("ordering", "Declare a combo of several quick actions."),
        "prepare-counterattack": Listed("ordering", "Wait, and strike back before the next attack."),
        "change-action": Listed("ordering", "Change what was declared, after a counterattack."),
        "check": Listed("rolling", "Make a success roll against a difficulty."),
        "contest": Listed("ordering", "Set two against each other, by a roll or a pair of rolls."),
        "heal": Listed("ordering", "Rest, and let damage come back."),
        "modify": Listed("ordering", "Give somebody a modifier that lasts."),
        "close": Listed("ordering", "End the encounter and reveal the dice seed."),
        "play": Listed("files", "Play a fight file."),
    },
    "Rounds of Ron d6": {
        "round": Listed("ordering", "Begin a round, and end the one before."),
        "declare": Listed("ordering", "Begin a turn: how many actions it has."),
        "wait": Listed("ordering", "Use an action to wait for somebody else's."),
        "interrupt": Listed("rounds", "Come in between an action and its result."),
        "move-up": Listed("ordering", "Take a turn early, to react."),
        "result": Listed("ordering", "Declare what comes of an action."),
        "spend": Listed("ordering", "Spend a Character Point or a Fate Point."),
        "roll-related": Listed("ordering", "Roll a related skill before the primary one."),
        "roll": Listed("ordering", "Roll what takes no action: damage, resistance, a glance."),
        "incapacitate": Listed("ordering", "Say that somebody is unconscious, bound or unable to act."),
        "recover": Listed("ordering", "Say that somebody is awake or free again."),
    },
    "Correct": {
        "undo": Listed("undoing", "Take back the last ruling, or strike one in the middle."),
        "redo": Listed("undoing", "Bring back what was undone."),
        "amend": Listed("amending", "Change what a ruling says, and judge everything after it again."),
        "adjust": Listed("adjusting", "Enter the game master's word: points, conditions, an outcome."),
        "dispute": Listed("disputing", "Object to a ruling; play goes on until somebody rules on it."),
        "answer": Listed("disputing", "Answer in an open dispute."),
        "rule-on": Listed("disputing", "Decide a dispute: the ruling stands, or a correction settles it."),
        "propose": Listed("proposing", "Propose an order that is not one's own to give."),
        "accept": Listed("proposing", "Accept what a player proposes: the order is given."),
        "refuse": Listed("proposing", "Refuse what a player proposes."),
        "note": Listed("amending", "Write a remark beside the fight."),
        "branch": Listed("branching", "Go on from a moment of the fight as a fight of its own."),
    },
    "Look": {
        "status": Listed("status", "Show the fight on one screen: whose move, order, points, what is owed."),
        "options": Listed("legal", "Show what may be done now and by whom, or why not."),
        "pools": Listed("views", "Show the five pools of everybody."),
        "order": Listed("views", "Show the turn order and whose turn it is."),
        "log": Listed("views", "Show the fight line by line, struck lines too."),
        "audit": Listed("auditing", "Show every ruling with who, when, dice, sums and reasons."),
        "replay": Listed("replaying", "Step through the fight, or print it frame by frame."),
        "report": Listed("auditing", "Sum the fight up: who fell, rounds, notes, rules in force."),
        "disputes": Listed("disputing", "List the open disputes."),
        "proposals": Listed("proposing", "List what players propose, until it is accepted or refused."),
        "precedents": Listed("disputing", "Show how this table ruled before, in all encounters."),
        "encounters": Listed("views", "List the encounters of the store."),
    },
    "Ask": {
        "odds": Listed("odds", "Show how likely every outcome of an order is, before its dice fall."),
        "explain": Listed("explaining", "Show what made a number what it is, or why a ruling came out so."),
        "blame": Listed("blaming", "Show everything about somebody, each with the ruling that last set it."),
        "luck": Listed("luck", "Show how lucky everybody was: the dice of the fight against what such dice come to."),
        "whatif": Listed(
            "supposing",
            "Judge the fight again under other rules: what would have come out otherwise, and who would stand.",
        ),
        "diff": Listed("diffing", "Compare two fights: how each stands, and the rulings that count otherwise."),
        "rerun": Listed("rerunning", "Judge many fights again under other rules: a house rule on trial."),
    },
    "Keep": {
        "projections": Listed("tables", "Show the tables kept beside the log, and make them anew."),
        "export": Listed("files", "Write an encounter as lines of JSON that prove themselves, or as a fight file."),
        "backup": Listed("backing_up", "Copy the whole store into a new file while it is in use."),
        "import": Listed("files", "Take in an exported encounter."),
        "copy": Listed("moving", "Copy a whole store into a new one: from a file into PostgreSQL, and back."),
        "migrate": Listed("moving", "Make the tables of a log in PostgreSQL, or bring them up."),
        "seal": Listed("proving", "Print the seal to write down, which proves the log up to here."),
        "verify": Listed("proving", "Check seals and dice of a log or an export."),
    },
    "Serve": {
        "serve": Listed("serving", "Serve the store over HTTP: to pages, programs and everybody at the table."),
        "token": Listed("tokens", "Let people in to a served log: make, list and revoke tokens."),
    },
    "Rules": {
        "points": Listed("points", "Price characters and equipment in character points."),
        "rules": Listed("rules", "List, show, write, check, compare and change rules and house rules."),
        "rule": Listed("telling", "Tell a rule in our own words, or those about a word."),
        "help": Listed("telling", "Tell what there is: all commands, one of them, or those about a word."),
        "schema": Listed("schema", "Print the orders as a JSON Schema."),
    },
}
CATALOGUE: dict[str, Listed] = {name: listed for section in SECTIONS.values() for name, listed in section.items()}
