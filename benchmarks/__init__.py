"""What the service costs, each time as a ratio to the limit it is measured against, in one and the same run."""
