"""Commands that are built from the Structs of orders."""
