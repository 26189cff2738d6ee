"""Attacks: what they are made with, on whom, how far."""

TEXTS: dict[str, str] = {
    "bad_target/down": "{target} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out}.",
    "bad_target/self": "{attacker} cannot be their own target.",
    "bad_throw/mode": "A throw is quick, powerful or a heave and has no other mode. Leave out {mode:powerful=powerful|strategic=strategic|cautious=cautious}.",
    "exceeds_maximum/darkness": "Total darkness adds at most {most} here, not {darkness}.",
    "exceeds_maximum/darkness_in_grapple": "Total darkness adds at most {most} to a grapple, not {darkness}.",
    "idle_darkness": "The game master chooses a number for the dark only in total darkness, and only under the house rule darkness_values = gm_up_to.",
    "idle_distance": "The {weapon} strikes hand to hand. Leave the distance out: only shots and throws have one.",
    "idle_double_power": "Only powerful attacks and powerful throws have double power under these rules. Attack in that mode.",
    "no_range": "The {weapon} has no range, so the distance cannot be checked. Give it a range.",
    "out_of_range": "{distance} is out of range: it reaches {max_range}.",
    "out_of_range/answer": "{met_actor} is {distance_moved} away, and the {weapon} reaches only {reach}. Parry the shot or throw, or answer it with a shot.",
}
