"""Attacks: what they are made with, on whom, how far."""

TEXTS: dict[str, str] = {
    "bad_target/down": "{target} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out}.",
    "bad_target/self": "{attacker} cannot be their own target.",
    "bad_throw/mode": "A throw is quick, powerful or a heave, and takes no mode beside it: leave out {mode:powerful=powerful|strategic=strategic|cautious=cautious}.",
    "exceeds_maximum/darkness": "Total darkness adds up to {most} here, not {darkness}.",
    "exceeds_maximum/darkness_in_grapple": "Total darkness adds up to {most} to a grapple, not {darkness}.",
    "idle_darkness": "A number for the dark is the game master's in total darkness, where the house lets them choose it (darkness_values = gm_up_to).",
    "idle_distance": "The {weapon} strikes hand to hand; a distance is for what is shot or thrown.",
    "idle_double_power": "Only powerful attacks and powerful throws have double power under these rules: attack in that mode.",
    "no_range": "The {weapon} has no range to measure that distance by: give it a range.",
    "out_of_range": "{distance} is out of range; it reaches {max_range}.",
    "out_of_range/answer": "{met_actor} is {distance_moved} away, and the {weapon} reaches {reach}: what was shot or thrown can be parried, or answered with a shot.",
}
