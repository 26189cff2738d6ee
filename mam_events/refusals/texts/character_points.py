"""Character points: prices and masses."""

TEXTS: dict[str, str] = {
    "mass_over_table": "{mass} kg has no price: the table of masses ends at {heaviest} kg.",
    "speed_off_the_ladder": "{field}: the speeds are {ladder:,}. From {given:yes=speed |no=its template's speed}{speed} a character can go {highest} up and {lowest} down, not {steps} {up:yes=up|no=down}.",
}
