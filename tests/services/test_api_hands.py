"""What the routes answer, on a real PostgreSQL with the demonstration's hands."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec
import pytest

from domain import events as e
from services.api import bodies as b
from services.embedded import Server
from services.replaying import ReplayFrame
from services.reports import HandsPage
from tests.support.asking import Asking
from tests.support.service import Served, served

HANDS = 40


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, HANDS) as service:
        yield service


@pytest.fixture(scope="module")
def admin(service: Served) -> dict[str, str]:
    return service.headers("admin")


@pytest.fixture
def ask(service: Served, admin: dict[str, str]) -> Asking:
    return Asking(service, admin)


# -- finding ---------------------------------------------------------------------------------------


def test_the_pages_of_a_list_hold_every_hand_once(ask: Asking) -> None:
    path, seen = "/v1/hands?limit=7", list[UUID]()
    while path:
        answer = ask(path)
        page = msgspec.json.decode(answer.content, type=HandsPage)
        seen += [hand.hand for hand in page.hands]
        link = answer.links.get("next")
        assert (link is None) == (page.next is None)
        path = link["url"] if link else ""
    assert len(seen) == len(set(seen)) == HANDS


def test_the_next_of_a_page_goes_on_where_the_link_does(ask: Asking) -> None:
    first = ask("/v1/hands?limit=5")
    by_hand = ask.service.client.get(
        "/v1/hands",
        params={"limit": 5, "after": first.json()["next"]},
        headers=ask.headers,
    )
    assert by_hand.json() == ask(first.links["next"]["url"]).json()


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        ("game=stud8", lambda hand: hand["game"] == "stud8"),
        ("table=Amber", lambda hand: hand["table"] == "Amber"),
        ("min_pot=40.00", lambda hand: hand["pot"] >= 4000),
        ("from=2026-01-10&to=2026-01-10", lambda hand: hand["played_at"] < "2026-01-11"),
        ("findings=false", lambda hand: hand["verdict"] == "clean"),
        ("number=D00001", lambda hand: hand["number"] == "D00001"),
    ],
)
def test_a_filter_leaves_only_what_it_says(ask: Asking, filters: str, holds: object) -> None:
    found = ask(f"/v1/hands?limit=1000&{filters}").json()["hands"]
    every = ask("/v1/hands?limit=1000").json()["hands"]
    assert callable(holds)
    assert {hand["hand"] for hand in found} <= {hand["hand"] for hand in every if holds(hand)}


def test_hands_of_a_player_are_those_he_was_dealt_in(ask: Asking) -> None:
    found = ask("/v1/hands?limit=1000&player=Greta").json()["hands"]
    assert found
    for hand in found:
        seats = ask(f"/v1/hands/{hand['hand']}").json()["seats"]
        assert "Greta" in {seat["player"] for seat in seats}
    assert ask("/v1/hands?player=Nobody").json()["hands"] == []


def test_a_list_as_json_lines_has_the_same_hands(ask: Asking) -> None:
    lines = ask("/v1/hands?limit=6", Accept="application/jsonl")
    assert lines.headers["content-type"] == "application/jsonl"
    assert lines.links["next"]
    hands = [msgspec.json.decode(line) for line in lines.content.splitlines()]
    assert hands == ask("/v1/hands?limit=6").json()["hands"]


# -- one hand --------------------------------------------------------------------------------------


def test_a_hand_is_found_by_its_id_and_by_the_sites_number(ask: Asking) -> None:
    shown = ask.service.demo.arranged[0]
    assert ask(f"/v1/hands/{shown.hand}").json() == ask(f"/v1/hands/{shown.number}").json()


def test_a_number_two_hands_have_lists_both(ask: Asking) -> None:
    service = ask.service
    again = service.store(service.events(service.hand))
    number = service.started(service.hand).number
    problem = ask.wrong(f"/v1/hands/{number}", 409, "hand-ambiguous").json()
    assert {one["hand"] for one in problem["candidates"]} == {str(service.hand), str(again)}
    assert {one["number"] for one in problem["candidates"]} == {number}


@pytest.mark.parametrize("called", [str(UUID(int=0)), "no such number", "x" * 200])
def test_a_hand_nobody_knows_is_not_found(ask: Asking, called: str) -> None:
    ask.wrong(f"/v1/hands/{called}", 404, "hand-not-found")


def test_a_hand_says_what_everybody_won_and_bore(ask: Asking) -> None:
    sheet = msgspec.json.decode(ask(f"/v1/hands/{ask.service.hand}").content, type=b.HandSheet)
    assert sum(seat.net for seat in sheet.seats) == -sheet.rake
    assert sum(seat.rake for seat in sheet.seats) == sheet.rake
    assert sheet.verdict == "clean"


@pytest.mark.parametrize("index", range(6))
def test_pots_rake_and_awards_of_a_hand_add_up(ask: Asking, index: int) -> None:
    hand = ask.service.demo.arranged[index].hand
    pots = msgspec.json.decode(ask(f"/v1/hands/{hand}/pots").content, type=b.PotsOfHand).pots
    rake = msgspec.json.decode(ask(f"/v1/hands/{hand}/rake").content, type=b.RakeOfHand)
    assert sum(pot.gross for pot in pots) == rake.matched
    assert sum(pot.rake for pot in pots) == sum(rake.pots) == rake.total
    for pot in pots:
        assert sum(paid.amount for paid in pot.contributions) == pot.gross
        assert sum(half.amount for half in pot.halves) == pot.awarded == pot.gross - pot.rake


def test_the_books_of_a_hand_balance_at_every_step(ask: Asking) -> None:
    rake = ask(f"/v1/hands/{ask.service.hand}/rake").json()
    steps: dict[int, int] = {}
    for posting in rake["postings"]:
        steps[posting["step"]] = steps.get(posting["step"], 0) + posting["amount"]
    assert set(steps.values()) == {0}
    house = [one["amount"] for one in rake["postings"] if one["account"] == "House:Rake"]
    assert sum(house) == rake["total"]


def test_an_odd_chip_names_seat_rule_and_cards(ask: Asking) -> None:
    odd = ask(f"/v1/hands/{ask.service.hand}/odd-chips").json()["odd_chips"]
    assert odd
    assert {chip["rule"] for chip in odd} <= {"P4", "P5", "P6"}
    assert any(chip["cards"] for chip in odd)


def test_every_step_of_a_hand_can_be_replayed(ask: Asking) -> None:
    hand = ask.service.hand
    last = msgspec.json.decode(ask(f"/v1/hands/{hand}/replay").content, type=ReplayFrame)
    assert last.step == last.steps == len(ask.service.events(hand))
    for step in range(1, last.steps + 1):
        assert ask(f"/v1/hands/{hand}/replay?step={step}").json()["step"] == step


def test_the_events_of_a_hand_are_those_stored(ask: Asking) -> None:
    hand = ask.service.hand
    seen = msgspec.json.decode(
        ask(f"/v1/hands/{hand}/events?view=all&why=test").content, type=b.EventsOfHand
    )
    assert tuple(line.event for line in seen.events) == ask.service.events(hand)
    assert [line.n for line in seen.events] == list(range(1, len(seen.events) + 1))


@pytest.mark.parametrize("kind", ["application/jsonl", "application/x-ndjson;q=0.9"])
def test_events_as_json_lines_are_the_same_events(ask: Asking, kind: str) -> None:
    path = f"/v1/hands/{ask.service.hand}/events"
    lines = ask(path, Accept=kind)
    assert lines.headers["content-type"] == "application/jsonl"
    assert [msgspec.json.decode(line) for line in lines.content.splitlines()] == ask(path).json()[
        "events"
    ]


def test_a_hand_in_play_has_no_verdict_and_no_pots_yet(ask: Asking) -> None:
    service = ask.service
    live = service.store(service.events(service.hand)[:20])
    assert ask(f"/v1/hands/{live}/verdict").json()["verdict"] is None
    assert ask(f"/v1/hands/{live}").json()["verdict"] is None
    assert ask(f"/v1/hands/{live}/pots").json()["pots"] == []
    assert ask(f"/v1/hands/{live}/rake").json()["total"] == 0


def test_the_verdict_gives_step_and_rule_of_a_fault(ask: Asking) -> None:
    service = ask.service
    events = list(service.events(service.hand))
    at = next(i for i, event in enumerate(events) if isinstance(event, e.RakeTaken))
    taken = events[at]
    assert isinstance(taken, e.RakeTaken)
    wrong = msgspec.structs.replace(
        taken,
        attribution=msgspec.structs.replace(
            taken.attribution, shares=taken.attribution.shares[::-1]
        ),
        row="another row",
    )
    hand = service.store((*events[:at], wrong, *events[at + 1 :]))
    verdict = ask(f"/v1/hands/{hand}/verdict").json()
    assert verdict["verdict"] == "findings"
    assert [finding["step"] for finding in verdict["findings"]] == [at + 1]
    assert verdict["findings"][0]["rule"].startswith("R")


def test_an_explanation_cites_rules(ask: Asking) -> None:
    sections = ask(f"/v1/hands/{ask.service.hand}/explain").json()["sections"]
    assert {"pots", "rake"} <= {section["about"] for section in sections}
    assert any(line["rules"] for section in sections for line in section["lines"])


# -- tags ------------------------------------------------------------------------------------------

OF_A_HAND = ("", "/events", "/replay", "/pots", "/odd-chips", "/rake", "/verdict", "/explain")


@pytest.mark.parametrize("part", OF_A_HAND)
def test_what_the_client_has_already_is_not_sent_again(ask: Asking, part: str) -> None:
    path = f"/v1/hands/{ask.service.hand}{part}"
    tag = ask(path).headers["etag"]
    for given in (tag, f'"other", W/{tag}', "*"):
        again = ask.service.client.get(path, headers=ask.headers | {"If-None-Match": given})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag


def test_another_step_or_view_has_another_tag(ask: Asking) -> None:
    path = f"/v1/hands/{ask.service.hand}/replay"
    tags = {ask(path + more).headers["etag"] for more in ("", "?step=3", "?view=all&why=test")}
    assert len(tags) == 3


def test_a_ruling_changes_the_tag(ask: Asking) -> None:
    service = ask.service
    events = service.events(service.hand)
    seats = [taken.seat for taken in service.started(service.hand).seats]
    moves = (e.SeatMove(seat=seats[0], amount=-1), e.SeatMove(seat=seats[1], amount=1))
    ruling = e.AwardCorrected(moves=moves, rake=0, reason="a test", ruling=None)
    before, after = service.store(events), service.store((*events, ruling))
    tags = [ask(f"/v1/hands/{hand}/replay").headers["etag"] for hand in (before, after)]
    assert tags[0] != tags[1]
