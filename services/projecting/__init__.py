"""The runner of the projections: pages of the log in, rows and positions out, exactly once.

The follower, which keeps on following, is in `following`: only the service needs it.
"""

from services.projecting.aside import SetAside, set_aside
from services.projecting.positions import Progress
from services.projecting.runner import Projector, UnknownProjection, projector_of

__all__ = [
    "Progress",
    "Projector",
    "SetAside",
    "UnknownProjection",
    "projector_of",
    "set_aside",
]
