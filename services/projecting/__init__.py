"""The runner of the projections: pages of the log in, rows and positions out, exactly once."""

from services.projecting.following import Follower, follower_of
from services.projecting.positions import Progress
from services.projecting.runner import Projector, UnknownProjection, projector_of

__all__ = ["Follower", "Progress", "Projector", "UnknownProjection", "follower_of", "projector_of"]
