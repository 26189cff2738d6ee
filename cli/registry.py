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
        "new": Listed("commands.fight.new", "Begin a fight: an empty encounter, or one with a party."),
        "join": Listed("commands.fight.join", "Bring a combatant into the fight."),
        "initiative": Listed("commands.fight.initiative", "Settle who begins, or roll for it."),
        "roster": Listed("commands.fight.roster", "List the characters who can join by name, or keep one."),
        "table": Listed("shell.table", "Play an evening in a shell: short lines, completion, everybody's state."),
        "do": Listed("commands.fight.do", "Give orders as one short line."),
        "next": Listed("commands.fight.do", "End the turn in progress and begin the next one."),
        "begin-turn": Listed("orders.builder", "Begin the next combatant's turn."),
        "ready": Listed("orders.builder", "Move points into the ready pool."),
        "attack": Listed("orders.builder", "Declare an attack."),
        "act": Listed("orders.overrides", "Do something other than attack."),
        "defend": Listed("orders.builder", "React to an attack: points into defense."),
        "parry": Listed("orders.builder", "React to an attack: parry."),
        "counterattack": Listed("orders.builder", "React to an attack: strike back."),
        "pass": Listed("orders.builder", "Let an attack come, without a reaction."),
        "interfere": Listed("orders.builder", "Try to stop somebody's action."),
        "resolve": Listed("orders.builder", "Roll the dice of an exchange and judge it."),
        "throw-die": Listed(
            "orders.builder", "Give the die of one's own roll in the open exchange, or leave it to be drawn."
        ),
        "draw-bow": Listed("orders.builder", "Draw a bow, or a crossbow without a lever."),
        "lower-bow": Listed("orders.builder", "Let a drawn bow down without a shot."),
        "load": Listed("orders.builder", "Load a gun, or a crossbow by its lever."),
        "unload": Listed("orders.builder", "Unload a crossbow or a gun."),
        "begin-heave": Listed("orders.builder", "Begin to heave something unwieldy."),
        "move": Listed("orders.move", "Move."),
        "ready-weapon": Listed("orders.builder", "Take a weapon in hand."),
        "drop-item": Listed("orders.builder", "Drop something carried."),
        "pick-up-item": Listed("orders.builder", "Pick up something dropped."),
        "manipulate": Listed("orders.manipulate", "Get to grips with somebody: disarm, hold, choke, wrench, throw."),
        "tackle": Listed("orders.builder", "Try to stop somebody's action by taking hold of them."),
        "maintain-grapple": Listed("orders.builder", "Keep a hold up for another turn."),
        "escape": Listed("orders.builder", "Try to get out of a hold."),
        "release": Listed("orders.builder", "Let go of a hold."),
        "evade": Listed("orders.builder", "Move defensively."),
        "drop": Listed("orders.builder", "Get down on the ground."),
        "stand": Listed("orders.builder", "Stand up."),
        "instant-stand": Listed("orders.builder", "Stand up evading, by a roll."),
        "rest": Listed("orders.builder", "Rest in the middle of a fight."),
        "aim": Listed("orders.builder", "Aim what is shot or thrown."),
        "take-position": Listed("orders.builder", "Settle who is dominant in a grapple."),
        "end-turn": Listed("orders.builder", "End the turn."),
        "mount": Listed("orders.builder", "Get on an animal or into a vehicle."),
        "dismount": Listed("orders.builder", "Get off."),
        "stay-mounted": Listed("orders.builder", "Roll to stay in the saddle."),
        "restrain-mount": Listed("orders.builder", "Roll to hold an animal back."),
        "ram": Listed("orders.builder", "Drive a vehicle into something."),
        "stalk": Listed("orders.builder", "Try to surprise somebody before the fight."),
        "establish-surprise": Listed("orders.builder", "Settle what the stalking came to."),
        "take-posture": Listed("orders.builder", "Begin the fight evading, or ready to counter."),
        "skip-turn": Listed("orders.builder", "Let a turn pass."),
        "delay-turn": Listed("orders.builder", "Put a turn off until after somebody else's."),
        "declare-combo": Listed("orders.builder", "Declare a combo of several quick actions."),
        "prepare-counterattack": Listed("orders.builder", "Wait, and strike back before the next attack."),
        "change-action": Listed("orders.builder", "Change what was declared, after a counterattack."),
        "check": Listed("orders.check", "Make a success roll against a difficulty."),
        "contest": Listed("orders.builder", "Set two against each other, by a roll or a pair of rolls."),
        "heal": Listed("orders.builder", "Rest, and let damage come back."),
        "modify": Listed("orders.builder", "Give somebody a modifier that lasts."),
        "close": Listed("orders.builder", "End the encounter and reveal the dice seed."),
        "play": Listed("commands.storage.export_import", "Play a fight file."),
    },
    "Rounds of Ron d6": {
        "round": Listed("orders.builder", "Begin a round, and end the one before."),
        "declare": Listed("orders.builder", "Begin a turn: how many actions it has."),
        "wait": Listed("orders.builder", "Use an action to wait for somebody else's."),
        "interrupt": Listed("orders.interrupt", "Come in between an action and its result."),
        "move-up": Listed("orders.builder", "Take a turn early, to react."),
        "result": Listed("orders.builder", "Declare what comes of an action."),
        "spend": Listed("orders.builder", "Spend a Character Point or a Fate Point."),
        "roll-related": Listed("orders.builder", "Roll a related skill before the primary one."),
        "roll": Listed("orders.builder", "Roll what takes no action: damage, resistance, a glance."),
        "incapacitate": Listed("orders.builder", "Say that somebody is unconscious, bound or unable to act."),
        "recover": Listed("orders.builder", "Say that somebody is awake or free again."),
    },
    "Correct": {
        "undo": Listed("commands.corrections.undo", "Take back the last ruling, or strike one in the middle."),
        "redo": Listed("commands.corrections.undo", "Bring back what was undone."),
        "amend": Listed(
            "commands.corrections.amend", "Change what a ruling says, and judge everything after it again."
        ),
        "adjust": Listed(
            "commands.corrections.adjust", "Enter the game master's word: points, conditions, an outcome."
        ),
        "dispute": Listed(
            "commands.corrections.dispute", "Object to a ruling; play goes on until somebody rules on it."
        ),
        "answer": Listed("commands.corrections.dispute", "Answer in an open dispute."),
        "rule-on": Listed(
            "commands.corrections.dispute", "Decide a dispute: the ruling stands, or a correction settles it."
        ),
        "propose": Listed("commands.corrections.propose", "Propose an order that is not one's own to give."),
        "accept": Listed("commands.corrections.propose", "Accept what a player proposes: the order is given."),
        "refuse": Listed("commands.corrections.propose", "Refuse what a player proposes."),
        "note": Listed("commands.corrections.amend", "Write a remark beside the fight."),
        "branch": Listed("commands.corrections.branch", "Go on from a moment of the fight as a fight of its own."),
    },
    "Look": {
        "status": Listed(
            "commands.views.status", "Show the fight on one screen: whose move, order, points, what is owed."
        ),
        "options": Listed("commands.views.options", "Show what may be done now and by whom, or why not."),
        "pools": Listed("commands.views.pools", "Show the five pools of everybody."),
        "order": Listed("commands.views.pools", "Show the turn order and whose turn it is."),
        "log": Listed("commands.views.pools", "Show the fight line by line, struck lines too."),
        "audit": Listed("commands.views.audit", "Show every ruling with who, when, dice, sums and reasons."),
        "replay": Listed("commands.views.replay", "Step through the fight, or print it frame by frame."),
        "report": Listed("commands.views.audit", "Sum the fight up: who fell, rounds, notes, rules in force."),
        "disputes": Listed("commands.corrections.dispute", "List the open disputes."),
        "proposals": Listed(
            "commands.corrections.propose", "List what players propose, until it is accepted or refused."
        ),
        "precedents": Listed("commands.corrections.dispute", "Show how this table ruled before, in all encounters."),
        "encounters": Listed("commands.views.pools", "List the encounters of the store."),
    },
    "Ask": {
        "odds": Listed("commands.analysis.odds", "Show how likely every outcome of an order is, before its dice fall."),
        "explain": Listed(
            "commands.analysis.explain", "Show what made a number what it is, or why a ruling came out so."
        ),
        "blame": Listed(
            "commands.analysis.blame", "Show everything about somebody, each with the ruling that last set it."
        ),
        "luck": Listed(
            "commands.analysis.luck",
            "Show how lucky everybody was: the dice of the fight against what such dice come to.",
        ),
        "whatif": Listed(
            "commands.analysis.whatif",
            "Judge the fight again under other rules: what would have come out otherwise, and who would stand.",
        ),
        "diff": Listed(
            "commands.analysis.diff", "Compare two fights: how each stands, and the rulings that count otherwise."
        ),
        "rerun": Listed("commands.analysis.rerun", "Judge many fights again under other rules: a house rule on trial."),
    },
    "Keep": {
        "projections": Listed(
            "commands.storage.projections", "Show the tables kept beside the log, and make them anew."
        ),
        "export": Listed(
            "commands.storage.export_import",
            "Write an encounter as lines of JSON that prove themselves, or as a fight file.",
        ),
        "backup": Listed("commands.storage.backup", "Copy the whole store into a new file while it is in use."),
        "import": Listed("commands.storage.export_import", "Take in an exported encounter."),
        "copy": Listed(
            "commands.storage.migrate", "Copy a whole store into a new one: from a file into PostgreSQL, and back."
        ),
        "migrate": Listed("commands.storage.migrate", "Make the tables of a log in PostgreSQL, or bring them up."),
        "seal": Listed("commands.storage.verify", "Print the seal to write down, which proves the log up to here."),
        "verify": Listed("commands.storage.verify", "Check seals and dice of a log or an export."),
    },
    "Serve": {
        "serve": Listed(
            "commands.service.serve", "Serve the store over HTTP: to pages, programs and everybody at the table."
        ),
        "token": Listed("commands.service.token", "Let people in to a served log: make, list and revoke tokens."),
    },
    "Rules": {
        "points": Listed("commands.rules.points", "Price characters and equipment in character points."),
        "rules": Listed("commands.rules.rules", "List, show, write, check, compare and change rules and house rules."),
        "rule": Listed("commands.rules.rule_text", "Tell a rule in our own words, or those about a word."),
        "help": Listed(
            "commands.rules.rule_text", "Tell what there is: all commands, one of them, or those about a word."
        ),
        "schema": Listed("commands.rules.schema", "Print the orders as a JSON Schema."),
    },
}
CATALOGUE: dict[str, Listed] = {name: listed for section in SECTIONS.values() for name, listed in section.items()}
