"""Grappling: manipulating somebody, ongoing holds, and the results of manipulation."""
