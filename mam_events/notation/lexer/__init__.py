"""The lexer: splits lines into words before their meaning is known."""
