"""The decider: one command against one state under one ruleset gives events or a refusal; what rules are made of."""
