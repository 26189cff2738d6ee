"""Character points: what characters and equipment are worth, and the list of prices."""
