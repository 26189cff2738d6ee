"""The decider, which judges one command against one state under one ruleset, and the parts of a rule."""
