"""Stores, exports, checks of them."""

TEXTS: dict[str, str] = {
    "diverged/left": 'The imported fight branched off "{encounter}" at ruling {number}, so it cannot continue that fight. Give the import another id.',
    "diverged/otherwise": '"{encounter}" is the same fight up to ruling {last} but differs from ruling {number} on. Give the import another id to keep both.',
    "encounter_exists/imported": 'There is already another encounter "{encounter}". Give the import another id.',
    "no_draw/not_on_record": "the die {die} is not on record",
    "partial_export": "{export} hides some of its rulings. Only an export that shows all of them (view gm) can be imported or judged again.",
}
