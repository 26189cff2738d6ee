"""Grappling: taking somebody in hand, holds that go on, and what manipulation comes to."""
