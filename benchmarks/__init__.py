"""The cost of the service, each time as a ratio to the limit it is measured against, in one and the same run."""
