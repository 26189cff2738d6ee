"""The generated pages of the manual (`make manual`)."""
