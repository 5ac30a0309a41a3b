"""What a verifier may find, as a tree. Messages are for whoever checks.

ProofError
├── Unreadable           the file is not what it should be: nothing was checked
├── NotSigned            no signature by a key that was given: nothing was checked
└── Tampered             the check was made, and failed
    ├── WrongSignature       a key that was given did not sign this
    ├── NotIncluded          the leaf is not in the tree
    └── NotConsistent        the later tree does not go on from the earlier one
"""

from __future__ import annotations


class ProofError(Exception):
    """Base of everything a verifier may find."""


class Unreadable(ProofError):
    """The file is not of the form it should have."""


class NotSigned(ProofError):
    """None of the signatures is by a key that was given."""


class Tampered(ProofError):
    """The check was made, and failed."""


class WrongSignature(Tampered):
    """The text is not what the key signed."""


class NotIncluded(Tampered):
    """The leaf is not in the tree at this place."""


class NotConsistent(Tampered):
    """The later tree does not go on from the earlier one."""
