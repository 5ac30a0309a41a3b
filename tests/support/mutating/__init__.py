"""Clean hands with one fact changed: does a finding appear?"""
