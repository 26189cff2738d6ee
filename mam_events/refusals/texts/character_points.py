"""Character points: prices and masses."""

TEXTS: dict[str, str] = {
    "mass_over_table": "{mass} kg is more than the table has: it ends at {heaviest} kg.",
    "speed_off_the_ladder": "{field}: from {given:yes=speed |no=its template's speed}{speed} the ladder {ladder:,} goes {highest} up and {lowest} down, not {steps} {up:yes=up|no=down}.",
}
