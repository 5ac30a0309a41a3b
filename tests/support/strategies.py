"""Tables, and commands of all kinds from all seats, legal or not, for Hypothesis."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from hypothesis import strategies as st
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.house_rules import ALL_GAMES, PRESETS, HouseRules
from domain.starting import default_bring_in
from domain.units import MOST_CHIPS
from tests.support.bdd import DOLLARS, PLAY, started

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
ANY_SEAT = st.integers(1, 10)
TIMES = st.none() | st.integers(0, 60).map(lambda seconds: NOON + timedelta(seconds=seconds))


@st.composite
def tables(draw: st.DrawFn, most_players: int = 8) -> e.HandStarted:
    """A hand that may start: 2 to 8 players, from one chip to a hundred bets, any policies."""
    preset = st.sampled_from(sorted(PRESETS.values(), key=lambda rules: rules.name))
    house = draw(preset | preset.flatmap(odd_policies))
    raked = house.rake == "schedule" and draw(st.booleans())
    chip = draw(st.sampled_from((1, 1, 5, 25)))
    small = draw(st.sampled_from((100, 200, 1500) if raked else (2 * chip, 20 * chip, 999 * chip)))
    most = small * draw(st.sampled_from((1, 4, 100)))
    seats = draw(st.lists(st.integers(1, 8), min_size=2, max_size=most_players, unique=True))
    return started(
        {seat: draw(st.integers(1, most)) for seat in seats},
        game=draw(st.sampled_from(ALL_GAMES)),
        dealer=draw(st.integers(1, 8)),
        small=small,
        ante=draw(st.sampled_from((0, small // 4, small // 2))) // chip * chip,
        bring_in=draw(st.sampled_from((default_bring_in(small, chip), small))),
        chip=chip,
        money=DOLLARS if raked else PLAY,
        house=house,
    )


def odd_policies(house: HouseRules) -> st.SearchStrategy[HouseRules]:
    """House rules no preset combines."""
    return st.builds(
        partial(replace, house),
        bring_in_tie=st.sampled_from(("left_of_dealer", "suit")),
        open_pair_double_bet=st.sampled_from(((), ("stud8",), ALL_GAMES)),
        cap_exempt_heads_up=st.booleans(),
        stud_odd_chip=st.sampled_from(("left_of_dealer", "card", "any")),
        hi_lo_odd_chip=st.sampled_from(("card", "any")),
        odd_chip_cards=st.sampled_from(("all_seven", "five")),
        odd_chip_tie=st.sampled_from(("left_of_dealer", "suit")),
        burn_cards=st.booleans(),
        timeout_outcome=st.sampled_from(("all_in", "check_or_fold")),
        unmatched_ante=st.sampled_from(("stays", "returned")),
        rake_third_street=st.booleans(),
        rake_attribution=st.sampled_from(("dealt", "contributed", "weighted", "winner")),
    )


AMOUNTS = st.none() | st.integers(0, 5000) | st.sampled_from((-1, MOST_CHIPS))
CARDS = st.lists(st.sampled_from((*DECK, "??", "Zz")), max_size=25).map(tuple)
MOVES = st.lists(st.builds(e.SeatMove, seat=ANY_SEAT, amount=st.integers(-50, 50)), max_size=3).map(
    tuple
)


def wild_commands(again: e.HandStarted) -> st.SearchStrategy[c.HandCommand]:
    """Anything anybody could send, mostly nonsense at the moment it comes."""
    passive = (c.PostBringIn, c.Complete, c.Call, c.Check, c.Fold, c.Disconnect, c.Reconnect)
    return st.one_of(
        st.sampled_from(passive).flatmap(lambda kind: st.builds(kind, seat=ANY_SEAT)),
        st.sampled_from((c.Bet, c.Raise)).flatmap(
            lambda kind: st.builds(kind, seat=ANY_SEAT, to=AMOUNTS)
        ),
        time_outs(),
        st.builds(c.Deal, cards=CARDS, positions=st.none() | CARDS.map(lambda x: (1,) * len(x))),
        st.builds(c.PauseClock, reason=st.just("floor called")),
        st.builds(c.ResumeClock, reason=st.just("play on")),
        st.builds(c.NoteIncident, kind=st.just("noise"), text=st.text(max_size=5)),
        st.builds(c.Correct, moves=MOVES, rake=st.integers(-50, 50), reason=st.just("misread")),
        st.just(c.StartHand(hand=again)),
    )


def time_outs(seat: st.SearchStrategy[int] = ANY_SEAT) -> st.SearchStrategy[c.TimeOut]:
    """A turn that ran out, with any evidence."""
    return st.builds(
        c.TimeOut,
        seat=seat,
        turn_started_at=TIMES,
        deadline=TIMES,
        disconnected_at=TIMES,
        at=TIMES,
    )
