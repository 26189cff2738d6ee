"""Orders as lines: a long form that states everything, and a short one for quick typing.

`submit.give_line` takes a line and gives its orders one after the other (`execute.LineExecution`). `orders.parser`
reads each: the first words decide which order it is and who acts (`orders.resolver.resolve_order`), the others fill its
fields (`orders.short_form.expand_short_form`). The long form is read by `grammar.long_form.read_long`. `lines` has the
lines with a form of their own: corrections, notes, joins, initiative.
"""
