"""Readers: foreign hand histories as streams of our own facts, one file per format."""
