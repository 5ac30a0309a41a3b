"""Charts: exact places, words for everything, and the same picture for the same figures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from domain.events import Money
from services.pages.chart_scale import scale_for
from services.pages.charts import Chart, Mark, bars, described, over_time

DOLLARS = Money(kind="real", currency="USD", exponent=2)
YEN = Money(kind="real", currency="JPY", exponent=0)
SVG = "{http://www.w3.org/2000/svg}"


def chart(*amounts: int, money: Money = DOLLARS, **more: object) -> Chart:
    marks = tuple(Mark(label=f"mark {at}", amount=amount) for at, amount in enumerate(amounts))
    given: dict[str, object] = {"name": "c", "title": "Rake", "marks": marks, "money": money}
    return Chart(**(given | more))  # type: ignore[arg-type]


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_bars_are_as_long_as_their_amounts() -> None:
    picture = bars(chart(1500, 750, 0))
    lengths = re.findall(r'class="bar" x="0.00%" y="\d+" width="([\d.]+%)"', picture)
    assert lengths == ["100.00%", "50.00%", "0.00%"]


def test_what_was_given_back_lies_on_the_other_side_of_nothing() -> None:
    (gain, loss) = re.findall(
        r'class="bar" x="([\d.]+)%" y="\d+" width="([\d.]+)%"', bars(chart(300, -100))
    )
    assert float(loss[0]) + float(loss[1]) == float(gain[0])


def test_the_axis_is_written_in_money_at_round_amounts() -> None:
    assert [text for text in words(bars(chart(130_000))) if not text.startswith("mark")] == [
        "$0", "$500", "$1000", "$1500", "$1300.00",
    ]  # fmt: skip
    assert words(over_time(chart(130)))[:3] == ["$0.00", "$0.50", "$1.00"]
    assert "20 JPY" in words(over_time(chart(20, money=YEN)))


def test_a_scale_has_room_for_every_amount_in_few_steps() -> None:
    for lowest, highest in [(0, 0), (0, 1), (-7, 3), (0, 999_999_999_999), (-250, -1)]:
        scale = scale_for([lowest, highest])
        assert scale.bottom <= min(lowest, 0) <= max(highest, 0) <= scale.top
        assert 2 <= len(scale.marks) <= 5


def test_a_chart_says_in_words_what_is_to_be_seen() -> None:
    told = described(chart(500, 1250, 250))
    assert told == (
        "3 in all. Most: mark 1, $12.50. Least: mark 2, $2.50. The table below has every figure."
    )
    tree = ElementTree.fromstring(bars(chart(500)))
    names = [tree.findtext(f"{SVG}{part}") for part in ("title", "desc")]
    assert names[0] == "Rake"
    assert tree.attrib["aria-labelledby"] == "c-title c-desc"
    assert described(chart()) == "There is nothing to draw."


def test_another_period_is_told_by_hatching_and_in_words_and_not_by_colour() -> None:
    marks = (Mark(label="$2/$4", amount=500, before=750),)
    compared = chart(marks=marks, now="January", then="December")
    picture = bars(compared)
    assert 'class="bar then" fill="url(#c-hatch)"' in picture
    assert "$5.00 ($7.50)" in words(picture)
    assert "Plain bars are January, hatched ones December." in described(compared)


def test_few_moments_are_columns_and_many_a_line() -> None:
    assert over_time(chart(*range(40))).count('class="bar"') == 40
    line = over_time(chart(*range(41)))
    assert 'class="bar"' not in line
    points = re.search(r'points="([^"]*)"', line)
    assert points is not None
    assert len(points[1].split()) == 41


def test_names_are_text_whatever_is_in_them() -> None:
    hostile = "</text><script>alert('1')</script>&\x1b[2J\u202e"
    marks = (Mark(label=hostile, amount=1),)
    for picture in (bars(chart(marks=marks)), over_time(chart(marks=marks))):
        assert "<script" not in picture
        assert "\x1b" not in picture
        ElementTree.fromstring(picture)


def test_the_same_chart_is_the_same_bytes_and_has_no_style_of_its_own() -> None:
    for drawn in (bars, over_time):
        picture = drawn(chart(*range(30)))
        assert picture == drawn(chart(*range(30)))
        assert "style" not in picture
