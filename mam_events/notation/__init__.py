"""One line, one grammar: orders as people type and read them, in a long form that says everything and a short one."""
