"""Orders as lines: a long form that says everything, and a short one that hands type.

A line comes in by `lines.give_line`, which gives its orders one behind the other (`giving.Giving`). Each is read by
`orders`: the first words tell which order it is and who acts (`meaning.meant`), the others fill its fields
(`short_form.in_full`), and what is long already is read as it stands (`long_form.read_long`). The log's own words are
in `correcting`, `noting` and `adjusting`.
"""
