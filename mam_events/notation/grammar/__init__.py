"""The grammar of lines: vocabulary, names, fields, dice, the long form."""
