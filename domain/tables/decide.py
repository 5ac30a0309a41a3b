"""The only place that chooses or refuses at a table: a command against its state."""

from __future__ import annotations

from msgspec.structs import replace

from domain.errors import BadTable, IllegalAmount, NotAllowedNow
from domain.rules.disc import next_dealer
from domain.schedules import is_raked
from domain.starting import MOST_PLAYERS, require_terms
from domain.tables import commands as c
from domain.tables import events as t
from domain.tables.table import Playing, Sitting, Table, evolve
from domain.units import MOST_CHIPS, MOST_DECIMALS, Chips, Seat

Events = tuple[t.TableEvent, ...]

FEWEST_PLAYERS = 2


def decide(table: Table | None, command: c.TableCommand) -> Events:
    """What happens at the table if `command` is accepted now, in order.

    Raises `Refused` with the rule's id; then nothing happened.
    """
    chosen = _open(command) if table is None else _choose(table, command)
    if command.at is not None:
        chosen = tuple(replace(event, at=command.at) for event in chosen)
    return chosen


def _open(command: c.TableCommand) -> Events:
    if not isinstance(command, c.OpenTable):
        raise NotAllowedNow("the table is not open", rule="G4")
    opened = command.table
    if not FEWEST_PLAYERS <= opened.max_seats <= MOST_PLAYERS:
        raise BadTable(f"a table has 2 to 8 seats, not {opened.max_seats}", rule="G4")
    if not 0 <= opened.money.exponent <= MOST_DECIMALS:
        raise BadTable("an amount has no such number of decimals", rule="P8")
    require_terms(opened)
    return (opened,)


def _choose(table: Table, command: c.TableCommand) -> Events:
    if table.closed:
        raise NotAllowedNow("the table is closed", rule="G4")
    match command:
        case c.OpenTable():
            raise NotAllowedNow("the table is open already", rule="G4")
        case c.BeginHand():
            return (_begin(table, command),)
        case c.EndHand():
            return _end(table, command)
        case c.CloseTable():
            return _close(table)
    return (_at_a_seat(table, command),)


AtASeat = c.TakeSeat | c.AddChips | c.Leave | c.SitOut | c.SitIn


def _at_a_seat(table: Table, command: AtASeat) -> t.TableEvent:
    match command:
        case c.TakeSeat():
            return _seat(table, command)
        case c.AddChips():
            return _add(table, command)
        case c.Leave(seat=seat):
            return _leave(table, _staying(table, seat))
        case c.SitOut() | c.SitIn():
            return _sit(table, command)


def _seat(table: Table, command: c.TakeSeat) -> t.PlayerSeated:
    seat, player = command.seat, command.player
    if not 1 <= seat <= table.opened.max_seats:
        raise BadTable(f"the table has seats 1 to {table.opened.max_seats}", rule="G4")
    if table.at(seat) is not None:
        raise NotAllowedNow(f"seat {seat} is taken", rule="G4")
    if any(sitting.player == player for sitting in table.seats):
        raise NotAllowedNow("this player sits here already", rule="G4")
    _require_chips(table, command.stack)
    for left in table.gone:
        if left.player == player and command.stack < left.stack:
            raise IllegalAmount("nobody comes back to the next hand with less", rule="B6")
    return t.PlayerSeated(seat=seat, player=player, stack=command.stack)


def _add(table: Table, command: c.AddChips) -> t.ChipsAdded:
    sitting = _staying(table, command.seat)
    _require_chips(table, command.amount)
    return t.ChipsAdded(seat=sitting.seat, amount=command.amount)


def _require_chips(table: Table, amount: Chips) -> None:
    if amount < 1:
        raise IllegalAmount("nobody plays without chips", rule="B6")
    if amount + sum(sitting.chips for sitting in table.seats) > MOST_CHIPS:
        raise IllegalAmount(f"no table holds more than {MOST_CHIPS} chips", rule="P8")


def _leave(table: Table, sitting: Sitting) -> t.PlayerLeaving | t.PlayerLeft:
    if table.in_hand(sitting.seat):
        return t.PlayerLeaving(seat=sitting.seat)
    return t.PlayerLeft(seat=sitting.seat, stack=sitting.chips)


def _sit(table: Table, command: c.SitOut | c.SitIn) -> t.SatOut | t.SatIn:
    sitting = _staying(table, command.seat)
    out = isinstance(command, c.SitOut)
    if sitting.sitting_out == out:
        raise NotAllowedNow(f"seat {sitting.seat} {'sits out' if out else 'plays'}", rule="G4")
    return t.SatOut(seat=sitting.seat) if out else t.SatIn(seat=sitting.seat)


def _staying(table: Table, seat: Seat) -> Sitting:
    """Who sits there and has not asked to leave."""
    sitting = table.at(seat)
    if sitting is None:
        raise NotAllowedNow(f"nobody sits at seat {seat}", rule="G4")
    if sitting.leaving:
        raise NotAllowedNow(f"seat {seat} leaves when the hand ends", rule="G4")
    return sitting


def _begin(table: Table, command: c.BeginHand) -> t.HandBegun:
    if table.playing is not None:
        raise NotAllowedNow(f"hand {table.playing.number} is being played", rule="G4")
    ready = table.ready()
    if len(ready) < FEWEST_PLAYERS:
        raise NotAllowedNow(f"a hand needs 2 players with chips, not {len(ready)}", rule="G4")
    dealer = command.dealer
    if dealer is None:
        # Nobody had the disc before the first hand: it begins at the lowest seat dealt in.
        dealer = next_dealer(table.disc or 0, [taken.seat for taken in ready])
    elif not 1 <= dealer <= table.opened.max_seats:
        raise BadTable(f"the table has seats 1 to {table.opened.max_seats}", rule="G5")
    return t.HandBegun(hand=command.hand, number=command.number, dealer=dealer, seats=ready)


def _end(table: Table, command: c.EndHand) -> Events:
    """The stacks of the hand, then whoever was waiting to leave."""
    if table.playing is None or table.playing.hand != command.hand:
        raise NotAllowedNow("this hand is not being played here", rule="G4")
    _require_balance(table, table.playing, command)
    ended = t.HandEnded(hand=command.hand, stacks=command.stacks, voided=command.voided)
    after = evolve(table, ended)
    return (ended, *(_leave(after, sitting) for sitting in after.seats if sitting.leaving))


def _require_balance(table: Table, playing: Playing, command: c.EndHand) -> None:
    """Chips are neither made nor lost, but for the rake of a real-money hand (P8, R1)."""
    begun = {taken.seat: taken.stack for taken in playing.seats}
    left = {after.seat: after.stack for after in command.stacks}
    if left.keys() != begun.keys() or len(left) != len(command.stacks):
        raise IllegalAmount("every seat dealt in is left one stack", rule="P8")
    if command.voided and left != begun:
        raise IllegalAmount("a void gives everyone back all he put in", rule="P9")
    rake = sum(begun.values()) - sum(left.values())
    if rake < 0 or (rake and not is_raked(table.opened)):
        raise IllegalAmount("the stacks are not what the hand began with, less the rake", rule="P8")


def _close(table: Table) -> Events:
    if table.playing is not None:
        raise NotAllowedNow(f"hand {table.playing.number} is being played", rule="G4")
    return (*(_leave(table, sitting) for sitting in table.seats), t.TableClosed())
