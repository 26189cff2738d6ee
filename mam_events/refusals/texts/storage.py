"""Stores, exports, checks of them."""

TEXTS: dict[str, str] = {
    "diverged/left": '"{encounter}" is the fight that this one left in ruling {number}; give the import another id.',
    "diverged/otherwise": '"{encounter}" is the same fight up to ruling {last} and goes on otherwise from ruling {number} on; give the import another id to keep both.',
    "encounter_exists/imported": 'There is already an encounter "{encounter}", and it is not this one; give the import another id.',
    "no_draw/not_on_record": "the die {die} is not on record",
    "partial_export": "{export} hides some of its rulings; only an export that shows all of them (view gm) can be imported or judged again.",
}
