"""Orders as lines: a long form that says everything, and a short one that hands type.

`submit.give_line` takes a line and gives its orders one after the other (`execute.Giving`). `orders.parser` reads each:
the first words tell which order it is and who acts (`orders.resolver.meant`), the others fill its fields
(`orders.short_form.in_full`). The long form is read by `grammar.long_form.read_long`. `lines` has the lines with a form
of their own: corrections, notes, joins, initiative.
"""
