"""The registry of all commands by section: the module and the short help of each, so that help need not import them.

`make manual` writes the lines of orders; each stays at its place.
"""

from __future__ import annotations

from typing import NamedTuple


class CommandEntry(NamedTuple):
    """The module that defines a command (`cli.MODULE`), and the sentence that lists it."""

    module: str
    short: str


SECTIONS: dict[str, dict[str, CommandEntry]] = {
    "Fight": {
        "new": CommandEntry("commands.fight.new", "Begin a fight: an empty encounter, or one with a party."),
        "join": CommandEntry("commands.fight.join", "Bring a combatant into the fight."),
        "initiative": CommandEntry("commands.fight.initiative", "Settle who begins, or roll for it."),
        "roster": CommandEntry("commands.fight.roster", "List the characters who can join by name, or save one."),
        "table": CommandEntry("shell.table", "Play a session in a shell: short lines, completion, everybody's state."),
        "do": CommandEntry("commands.fight.do", "Give orders as one short line."),
        "next": CommandEntry("commands.fight.do", "End the turn in progress and begin the next one."),
        "begin-turn": CommandEntry("orders.builder", "Begin the next combatant's turn."),
        "ready": CommandEntry("orders.builder", "Move points into the ready pool."),
        "attack": CommandEntry("orders.builder", "Declare an attack."),
        "act": CommandEntry("orders.overrides", "Do something other than attack."),
        "defend": CommandEntry("orders.builder", "React to an attack: put points into defense."),
        "parry": CommandEntry("orders.builder", "React to an attack: parry."),
        "counterattack": CommandEntry("orders.builder", "React to an attack: strike back."),
        "pass": CommandEntry("orders.builder", "Let an attack come without reacting."),
        "interfere": CommandEntry("orders.builder", "Try to stop somebody's action."),
        "resolve": CommandEntry("orders.builder", "Roll the dice of the open action, and judge it."),
        "throw-die": CommandEntry("orders.builder", "Give your own die for the open action, or leave it to be drawn."),
        "draw-bow": CommandEntry("orders.builder", "Draw a bow, or a crossbow without a lever."),
        "lower-bow": CommandEntry("orders.builder", "Let a drawn bow down without shooting."),
        "load": CommandEntry("orders.builder", "Load a gun, or a crossbow by its lever."),
        "unload": CommandEntry("orders.builder", "Unload a crossbow or a gun."),
        "begin-heave": CommandEntry("orders.builder", "Begin to heave something unwieldy."),
        "move": CommandEntry("orders.move", "Move some distance."),
        "ready-weapon": CommandEntry("orders.builder", "Take a weapon in hand."),
        "drop-item": CommandEntry("orders.builder", "Drop something carried."),
        "pick-up-item": CommandEntry("orders.builder", "Pick up something dropped."),
        "manipulate": CommandEntry("orders.manipulate", "Grapple somebody: disarm, hold, choke, wrench, throw."),
        "tackle": CommandEntry("orders.builder", "Try to stop somebody's action by taking hold of them."),
        "maintain-grapple": CommandEntry("orders.builder", "Maintain a hold for another turn."),
        "escape": CommandEntry("orders.builder", "Try to get out of a hold."),
        "release": CommandEntry("orders.builder", "Let go of a hold."),
        "evade": CommandEntry("orders.builder", "Move defensively."),
        "drop": CommandEntry("orders.builder", "Get down on the ground."),
        "stand": CommandEntry("orders.builder", "Stand up."),
        "instant-stand": CommandEntry("orders.builder", "Stand up while evading, by a roll."),
        "rest": CommandEntry("orders.builder", "Rest in the middle of a fight."),
        "aim": CommandEntry("orders.builder", "Aim a weapon before a shot or throw."),
        "take-position": CommandEntry("orders.builder", "Settle who is dominant in a grapple."),
        "end-turn": CommandEntry("orders.builder", "End the turn."),
        "mount": CommandEntry("orders.builder", "Get on an animal or into a vehicle."),
        "dismount": CommandEntry("orders.builder", "Get off a mount."),
        "stay-mounted": CommandEntry("orders.builder", "Roll to stay in the saddle."),
        "restrain-mount": CommandEntry("orders.builder", "Roll to hold an animal back."),
        "ram": CommandEntry("orders.builder", "Drive a vehicle into something."),
        "stalk": CommandEntry("orders.builder", "Try to surprise somebody before the fight."),
        "establish-surprise": CommandEntry("orders.builder", "Settle who surprised whom."),
        "take-posture": CommandEntry("orders.builder", "Begin the fight evading, or ready to counter."),
        "skip-turn": CommandEntry("orders.builder", "Skip a turn."),
        "delay-turn": CommandEntry("orders.builder", "Delay a turn until after somebody else's."),
        "declare-combo": CommandEntry("orders.builder", "Declare a combo of several quick actions."),
        "prepare-counterattack": CommandEntry("orders.builder", "Prepare to strike back before the next attack."),
        "change-action": CommandEntry("orders.builder", "Change a declared action after a counterattack."),
        "check": CommandEntry("orders.check", "Make a success roll against a difficulty."),
        "contest": CommandEntry("orders.builder", "Make a contest between two, by one roll or two."),
        "heal": CommandEntry("orders.builder", "Rest to heal damage."),
        "modify": CommandEntry("orders.builder", "Give somebody a modifier that lasts."),
        "close": CommandEntry("orders.builder", "End the encounter and reveal the dice seed."),
        "play": CommandEntry("commands.storage.export_import", "Play a fight file."),
    },
    "Rounds of Ron d6": {
        "round": CommandEntry("orders.builder", "Begin a round and end the previous one."),
        "declare": CommandEntry("orders.builder", "Begin a turn, and say how many actions it has."),
        "wait": CommandEntry("orders.builder", "Use an action to wait for somebody else."),
        "interrupt": CommandEntry("orders.interrupt", "Interrupt an action before its result."),
        "move-up": CommandEntry("orders.builder", "Take a turn early, to react."),
        "result": CommandEntry("orders.builder", "Declare the result of an action."),
        "spend": CommandEntry("orders.builder", "Spend a Character Point or a Fate Point."),
        "roll-related": CommandEntry("orders.builder", "Roll a related skill before the primary one."),
        "roll": CommandEntry("orders.builder", "Roll something that takes no action: damage, resistance, a glance."),
        "incapacitate": CommandEntry("orders.builder", "Say that somebody is unconscious, bound or unable to act."),
        "recover": CommandEntry("orders.builder", "Say that somebody is awake or free again."),
    },
    "Correct": {
        "undo": CommandEntry("commands.corrections.undo", "Undo the last ruling, or one in the middle."),
        "redo": CommandEntry("commands.corrections.undo", "Restore what was undone."),
        "amend": CommandEntry(
            "commands.corrections.amend", "Change part of a ruling, and judge everything after it again."
        ),
        "adjust": CommandEntry(
            "commands.corrections.adjust", "Enter the game master's word: points, conditions, an outcome."
        ),
        "dispute": CommandEntry(
            "commands.corrections.dispute", "Object to a ruling. Play goes on until the dispute is decided."
        ),
        "answer": CommandEntry("commands.corrections.dispute", "Answer an open dispute."),
        "rule-on": CommandEntry(
            "commands.corrections.dispute", "Decide a dispute: the ruling stands, or a correction settles it."
        ),
        "propose": CommandEntry("commands.corrections.propose", "Propose an order that you may not give yourself."),
        "accept": CommandEntry("commands.corrections.propose", "Accept a player's proposal: its order is given."),
        "refuse": CommandEntry("commands.corrections.propose", "Refuse a player's proposal."),
        "note": CommandEntry("commands.corrections.amend", "Write a remark beside the fight."),
        "branch": CommandEntry(
            "commands.corrections.branch", "Continue from a moment of the fight as a separate fight."
        ),
    },
    "Look": {
        "status": CommandEntry(
            "commands.views.status", "Show the fight on one screen: whose move, order, points, what is owed."
        ),
        "options": CommandEntry("commands.views.options", "Show what may be done now and by whom, or why not."),
        "pools": CommandEntry("commands.views.pools", "Show the five pools of everybody."),
        "order": CommandEntry("commands.views.order", "Show the turn order and whose turn it is."),
        "log": CommandEntry("commands.views.log", "Show the fight line by line, undone lines too."),
        "audit": CommandEntry("commands.views.audit", "Show every ruling with who, when, dice, sums and reasons."),
        "replay": CommandEntry("commands.views.replay", "Step through the fight, or print it frame by frame."),
        "report": CommandEntry("commands.views.audit", "Sum up the fight: who fell, rounds, notes, rules in force."),
        "disputes": CommandEntry("commands.corrections.dispute", "List the open disputes."),
        "proposals": CommandEntry(
            "commands.corrections.propose", "List the players' proposals until they are decided."
        ),
        "precedents": CommandEntry(
            "commands.corrections.dispute", "Show how this table ruled before, in all encounters."
        ),
        "encounters": CommandEntry("commands.views.encounters", "List the encounters of the store."),
    },
    "Ask": {
        "odds": CommandEntry(
            "commands.analysis.odds", "Show how likely every outcome of an order is, before its dice are thrown."
        ),
        "explain": CommandEntry(
            "commands.analysis.explain", "Show where a number comes from, or why a ruling came out as it did."
        ),
        "blame": CommandEntry(
            "commands.analysis.blame", "Show everything about somebody, each with the ruling that last set it."
        ),
        "luck": CommandEntry(
            "commands.analysis.luck",
            "Show how lucky everybody was: the dice of the fight compared with the average.",
        ),
        "whatif": CommandEntry(
            "commands.analysis.whatif",
            "Judge the fight again under other rules: what would differ, and who would stand.",
        ),
        "diff": CommandEntry(
            "commands.analysis.diff", "Compare two fights: how each stands, and which rulings differ."
        ),
        "rerun": CommandEntry(
            "commands.analysis.rerun", "Judge many fights again under other rules, to try out a house rule."
        ),
    },
    "Keep": {
        "projections": CommandEntry(
            "commands.storage.projections", "Show the tables kept beside the log, and build them again."
        ),
        "export": CommandEntry(
            "commands.storage.export_import",
            "Write an encounter as sealed lines of JSON, or as a fight file.",
        ),
        "backup": CommandEntry("commands.storage.backup", "Copy the whole store into a new file while it is in use."),
        "import": CommandEntry("commands.storage.export_import", "Import an exported encounter."),
        "copy": CommandEntry(
            "commands.storage.migrate", "Copy a whole store into a new one: from a file into PostgreSQL, and back."
        ),
        "migrate": CommandEntry(
            "commands.storage.migrate", "Create the tables of a log in PostgreSQL, or update them."
        ),
        "seal": CommandEntry(
            "commands.storage.verify", "Print the seal to write down, which proves the log up to here."
        ),
        "verify": CommandEntry("commands.storage.verify", "Check seals and dice of a log or an export."),
    },
    "Serve": {
        "serve": CommandEntry(
            "commands.service.serve", "Serve the store over HTTP: to pages, programs and everybody at the table."
        ),
        "token": CommandEntry(
            "commands.service.token", "Give people access to a served log: make, list and revoke tokens."
        ),
    },
    "Rules": {
        "points": CommandEntry("commands.rules.points", "Price characters and equipment in character points."),
        "rules": CommandEntry(
            "commands.rules.rules", "List, show, write, check, compare and change rules and house rules."
        ),
        "rule": CommandEntry("commands.rules.rule_text", "Show a rule in plain words, or all rules about a word."),
        "help": CommandEntry(
            "commands.rules.rule_text", "Show help: all commands, one of them, or those about a word."
        ),
        "schema": CommandEntry("commands.rules.schema", "Print the orders as a JSON Schema."),
    },
}
COMMANDS_BY_NAME: dict[str, CommandEntry] = {
    name: listed for section in SECTIONS.values() for name, listed in section.items()
}
