"""The verifiable log: what the public may see of an event, and its place in a Merkle tree."""
