"""The table as a picture: what lies where is plain, whatever people are called."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from services.replaying import ReplayFrame, parse_view, replay_step
from services.replaying.svg import (
    FACE_DOWN,
    HEIGHT,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    PAPER,
    SUIT_COLOURS,
    WIDTH,
    described,
    draw_svg,
    tall,
)
from tests.support import disputes as s

SVG = "{http://www.w3.org/2000/svg}"


def frame(step: int = 22, view: str = "public") -> ReplayFrame:
    return replay_step("a-hand", s.RAKED.log, step, parse_view(view))


def elements(of: ReplayFrame, kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(draw_svg(of)).iter(f"{SVG}{kind}"))


def words(of: ReplayFrame) -> list[str]:
    return [element.text or "" for element in elements(of, "text")]


def panels(of: ReplayFrame) -> list[tuple[int, int]]:
    found = [one for one in elements(of, "rect") if one.get("rx") == "8"]
    return [(int(one.get("x", "")), int(one.get("y", ""))) for one in found]


def test_a_picture_is_the_same_bytes_every_time() -> None:
    assert draw_svg(frame()) == draw_svg(frame())


def test_a_picture_has_stacks_chips_pot_and_who_acts() -> None:
    told = words(frame())
    assert told.count("$96.75") == 3
    assert told.count("in pot $3.25") == 3
    assert "Pot $9.75" in told
    assert told.count("to act") == 1
    assert "disc at seat 8, not dealt in" in told


def test_a_picture_is_told_in_words_to_who_does_not_see_it() -> None:
    picture = ElementTree.fromstring(draw_svg(frame()))
    assert (picture.get("role"), picture.get("aria-label")) == ("img", described(frame()))
    assert "Seat 1 is to act." in described(replace(frame(), to_act=1))


def test_the_disc_lies_at_its_seat() -> None:
    seated = replace(frame(), dealer=2)
    assert len(elements(seated, "circle")) == 1
    assert words(seated).count("D") == 1


def test_suits_have_a_glyph_and_a_colour_each() -> None:
    found = {one.text: one.get("fill") for one in elements(frame(view="all"), "text")}
    assert found["A♥"] == SUIT_COLOURS["h"]
    assert found["K♠"] == SUIT_COLOURS["s"]
    assert found["8♣"] == SUIT_COLOURS["c"]
    assert found["9♦"] == SUIT_COLOURS["d"]
    assert len(set(SUIT_COLOURS.values())) == 4


def test_cards_face_down_are_told_from_those_face_up_by_edge_face_and_place() -> None:
    cards = [one for one in elements(frame(view="all"), "rect") if one.get("rx") == "3"]
    down = [one for one in cards if one.get("stroke-dasharray")]
    up = [one for one in cards if not one.get("stroke-dasharray")]
    assert (len(down), len(up)) == (6, 9)
    assert {one.get("fill") for one in down} == {FACE_DOWN}
    assert {one.get("fill") for one in up} == {PAPER}
    assert min(int(one.get("y", "")) for one in down) > min(int(one.get("y", "")) for one in up)


def test_a_view_draws_no_card_it_may_not_see() -> None:
    public, own = words(frame()), words(frame(view="seat:1"))
    assert public.count("?") == 6
    assert own.count("?") == 4
    assert "A♥" in own
    assert "A♥" not in draw_svg(frame())


@pytest.mark.parametrize("count", range(2, 11))
def test_up_to_ten_seats_have_room_beside_each_other(count: int) -> None:
    one = frame().seats[0]
    seats = tuple(replace(one, seat=n) for n in range(1, count + 1))
    places = panels(replace(frame(), seats=seats))
    assert len(places) == count
    assert not [pair for pair in _pairs(places) if _overlap(*pair)]
    assert all(
        x >= 0 and y >= 0 and x + PANEL_WIDTH <= WIDTH and y + PANEL_HEIGHT <= HEIGHT
        for x, y in places
    )


@pytest.mark.parametrize("count", range(2, 11))
def test_a_tall_picture_has_room_for_as_many(count: int) -> None:
    lie = tall(count)
    places = [lie.place(index, count) for index in range(count)]
    assert len(set(places)) == count
    assert not [pair for pair in _pairs(places) if _overlap(*pair)]
    assert all(
        x >= 0 and y >= 0 and x + PANEL_WIDTH <= lie.width and y + PANEL_HEIGHT <= lie.height
        for x, y in places
    )


def test_chips_of_the_street_lie_before_their_seat_until_they_are_pushed_in() -> None:
    first, *rest = frame().seats
    bet = replace(frame(), seats=(replace(first, street_total=400), *rest))
    assert "$4.00" not in words(frame())
    assert words(bet).count("$4.00") == 1
    assert "$4.00" not in words(replace(bet, event=s.RAKED.log[-1]))


def _pairs(
    places: Sequence[tuple[int, int]],
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [(one, other) for n, one in enumerate(places) for other in places[n + 1 :]]


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) < PANEL_WIDTH and abs(one[1] - other[1]) < PANEL_HEIGHT


def test_a_community_card_lies_in_the_middle() -> None:
    assert "7♥" in words(replace(frame(), community="7h"))


def test_what_won_folded_or_timed_out_is_said() -> None:
    over = frame(len(s.RAKED.log))
    assert any(one.startswith("won $") for one in words(over))
    first, *rest = frame().seats
    out = replace(frame(), to_act=None, seats=(replace(first, status="timed_out"), *rest))
    assert "timed out" in words(out)


@pytest.mark.parametrize(
    "name", ["</text><script>x</script>", "&amp;\"'", "]]>", "\x00\x1b[31m\ud800", "W" * 500]
)
def test_a_name_is_shown_and_opens_no_tag(name: str) -> None:
    first, *rest = frame().seats
    named = replace(frame(), seats=(replace(first, player=name), *rest))
    assert not elements(named, "script")
    shown = next(one for one in words(named) if one.startswith("1 "))
    assert len(shown) <= len("1 ") + 19
    draw_svg(named).encode()
