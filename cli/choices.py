"""The words that options choose from: those of the orders, written down here so that help need not import the rules."""

from __future__ import annotations

MODES = ("quick", "powerful", "strategic", "cautious")
THROWS = ("quick", "powerful", "heave")
LIGHTS = ("lit", "very_dim", "total_darkness")
CIRCUMSTANCES = ("unfavourable", "hostile", "compounded", "favourable", "very_favourable", "combined")
FOLLOW_UPS = ("none", "disarm", "hold", "choke", "wrench", "throw")
THROWS_OF_A_HAND = ("quick", "powerful")
CLASSES = ("sharp", "ordinary", "padded")
POSITIONS = ("clinch", "ground_fighting", "dominant_standing", "dominant_on_ground")
COLLISIONS = ("head_on", "broadside", "rear_end", "sideswipe")
POSTURES = ("evading", "ready_to_counter")
KINDS = ("d20", "d12", "d10", "d8", "d6")
ATTEMPTS = ("chance", "certain", "impossible")
QUALITIES = ("weekly", "perfect", "daily", "hourly", "sudden")
TIES = ("both_ways", "cannot_both_succeed", "cannot_both_fail")
MOVED_UP_FOR = ("catch", "resist_mental_attempt", "gm_allows", "dodge", "parry")
OUTCOMES = ("success", "failure")
POINTS = ("character", "fate")
SPENT_ON = ("initiative", "action", "related", "limit")
FREE_ROLLS = ("damage", "resistance", "emotion", "glance")
TERRAINS = ("easy", "challenging")
