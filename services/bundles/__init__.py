"""Audit bundles: hands in one archive that can be checked without us, our database or a network."""
