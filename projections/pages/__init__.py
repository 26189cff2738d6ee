"""The data of HTML pages."""
