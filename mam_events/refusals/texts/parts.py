"""Texts that stand in others, and are no refusals of their own."""

TEXTS: dict[str, str] = {
    "code_missing/has_none": "nor any other",
    "code_missing/has_only": "only {codes:,}",
    "code_missing/quoted": '"{code}"',
    "followed": "{sentence}{more}",
    "needs_sure/close": "{still:and}. Closing ends the fight and reveals the seed of its dice.",
    "needs_sure/rest": "{those:and} still fight. A rest takes a {length}.",
    "needs_sure/round": "{those:and} still {many:yes=have|no=has} to act in round {round}.",
    "needs_sure/turn": "It is {who}'s turn, with {unused:action} left.",
    "no_related_skill/one": "{ruling} ({skill} for {primary})",
    "not_as_played/die": "the {kind} for {role}",
    "not_as_played/die_of": "the {kind} for {role} of {roller}",
    "perception_missing/quoted": '"{code}"',
    "placed": "{place}: {sentence}",
    "quoted": "{sentence}",
    "so_amended": "Ruling {number}, so amended: {reason}",
    "so_amended/whatever": "Ruling {number}, so amended, is impossible whatever the die shows that is not drawn yet: {reason}",
    "unfinished/exchange": "exchange {number} is open",
    "unfinished/more": "{more} more",
    "unfinished/standing": "{those:and} still {many:yes=stand|no=stands}",
    "unfinished/turn": "it is {who}'s turn",
}
