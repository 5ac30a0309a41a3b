"""The clocks of live hands: turns run out, whatever becomes of the servers that run them."""

from services.live_clock.keeping import Keeper, keeper_of
from services.live_clock.scheduler import Scheduler
from services.live_clock.terms import OutagePolicy, Terms

__all__ = ["Keeper", "OutagePolicy", "Scheduler", "Terms", "keeper_of"]
