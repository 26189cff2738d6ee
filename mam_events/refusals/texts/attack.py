"""Attacks: what they are made with, on whom, how far."""

TEXTS: dict[str, str] = {
    "bad_target/down": "{target} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out}.",
    "bad_target/self": "{attacker} cannot be their own target. Name somebody else.",
    "bad_throw/mode": "A throw is quick, powerful or a heave and has no other mode. Leave out {mode:powerful=powerful|strategic=strategic|cautious=cautious}.",
    "exceeds_maximum/darkness": "Total darkness adds at most {most} here, not {darkness}.",
    "exceeds_maximum/darkness_in_grapple": "Total darkness adds at most {most} to a grapple, not {darkness}.",
    "idle_darkness": "A number for the dark counts only in total darkness, and only under the house rule darkness_values = gm_up_to. Leave the number out.",
    "idle_distance": "The {weapon} strikes hand to hand. Leave the distance out: only shots and throws have one.",
    "idle_double_power": "Under these rules only powerful attacks and powerful throws have double power. Choose that mode, or leave double power out.",
    "no_range": "The {weapon} cannot reach anything at a distance: it has no range. Amend how its owner joined and give the weapon a range, or leave the distance out.",
    "out_of_range": "The target is {distance} away, which is out of range: this weapon reaches {max_range}.",
    "out_of_range/answer": "{met_actor} is {distance_moved} away, and the {weapon} reaches only {reach}. Parry the shot or throw, or answer it with a shot.",
}
