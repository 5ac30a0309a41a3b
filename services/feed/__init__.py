"""The log as it grows, for anybody who follows: each fact once, in order, as he may know it."""

from services.feed.feed import Feed, feed_of
from services.feed.masking import ViewOf
from services.feed.reader import Permit, Reader
from services.feed.shown import FEED_TYPES, Shown
from services.feed.wanted import Wanted

__all__ = [
    "FEED_TYPES",
    "Feed",
    "Permit",
    "Reader",
    "Shown",
    "ViewOf",
    "Wanted",
    "feed_of",
]
