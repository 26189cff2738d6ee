"""Corrections, disputes, amendments."""

TEXTS: dict[str, str] = {
    "already_struck": "The same ruling cannot be struck twice in one correction.",
    "cannot_amend_closing": "A closing cannot be amended: its seed is what it is. Undo it instead.",
    "cannot_strike_opening": "The opening cannot be taken back: without it there is no encounter.",
    "cannot_strike_opening/2": "The opening cannot be amended: its rules are pinned.",
    "die_needed": "{wearer}'s armor is compared with a die of its own, and the others were thrown at the table: give its face as well, behind theirs, or none at all.",
    "hidden": "Ruling {number} is hidden.",
    "no_draw": "The fight is closed, so nothing is drawn any more: throw the die and give its face.",
    "no_proposal": "Ruling {ruling} is no proposal.",
    "nothing_to_correct": "A correction needs at least one step.",
    "nothing_to_redo": "There is nothing to redo: no undo is in force.",
    "nothing_to_undo": "There is nothing left to undo but the opening itself.",
    "out_of_turn/6": "{who} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out} and has no turn.",
    "seen_by_all/2": "All who see an exchange see who passes and which dice lie there: that stays so.",
    "seen_by_all/3": "All who see an exchange see who passes and which dice lie there: leave that out, or hide the resolving.",
    "too_many_dice_open": "Whether ruling {order_last}, so amended, is possible hangs on dice that are not drawn yet, in more ways than are tried here: say what they show, or correct what stands before it first, and amend it then.",
}
