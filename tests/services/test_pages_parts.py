"""What all pages are made of: files, templates, forms, cards and amounts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from types import SimpleNamespace

import pytest

from services.embedded import Server
from services.pages.files import FILES
from services.pages.forms import Attached, Form, FormError
from services.pages.rendering import TEMPLATES, card, money, static, time
from tests.support.browsing import Visitor
from tests.support.service import Served, served

HTMX = "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de"
"""Of version 2.0.10 (0BSD), as its authors published it."""


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 1) as service:
        yield service


def templates() -> Iterator[tuple[str, str]]:
    for file in files("services.pages").joinpath("templates").iterdir():
        yield file.name, file.read_text("utf-8")


def test_htmx_is_what_its_authors_published() -> None:
    content = FILES["htmx.min.js"].content
    assert hashlib.sha256(content).hexdigest() == HTMX
    assert b'version:"2.0.10"' in content


def test_a_file_is_kept_for_good_under_the_address_with_its_digest(service: Served) -> None:
    somebody = Visitor(service)
    kept = somebody.client.get(static("studledger.css"))
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert kept.headers["content-type"] == "text/css; charset=utf-8"
    other = somebody.client.get("/static/studledger.css?v=000000000000")
    assert (other.content, other.headers["cache-control"]) == (kept.content, "public, no-cache")
    for name in ("nothing.css", "..%2fbase.html", "base.html"):
        assert somebody.client.get(f"/static/{name}").status_code == 404


def test_no_style_sheet_or_script_loads_anything_from_elsewhere() -> None:
    for name, file in FILES.items():
        text = file.content.decode()
        if name != "htmx.min.js":
            assert not re.search(r"@import|url\((?!data:)|https?://(?!www\.w3\.org/)", text), name


def test_templates_escape_everything_and_hold_no_script_or_style() -> None:
    for name, text in templates():
        assert not re.search(r"\|\s*safe\b|autoescape", text), name
        if name != "standalone.html":  # A file that opens without a service has all in it.
            assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=", text), name


def test_what_a_template_does_not_know_fails_instead_of_being_left_out() -> None:
    with pytest.raises(Exception, match="'nobody' is undefined"):
        TEMPLATES.from_string("{{ nobody }}").render()


def test_no_name_turns_the_text_around_it_or_hides_in_it() -> None:
    show = TEMPLATES.from_string("<p>{{ name }}</p>").render
    assert show(name="an\u202ena\u200b\x07") == "<p>an\ufffdna\ufffd\ufffd</p>"
    assert show(name="two\r\nlines &\xa0more") == "<p>two\nlines &amp;\xa0more</p>"


@pytest.mark.parametrize(
    ("shown", "words", "face"),
    [("Ah", "ace of hearts", "A♥"), ("Tc", "ten of clubs", "10♣"), ("??", "a face-down card", "?")],
)
def test_a_card_is_told_in_words_beside_its_glyph(shown: str, words: str, face: str) -> None:
    html = card(shown)
    assert f'aria-label="{words}"' in html
    assert f">{face}<" in html


def test_amounts_are_in_their_currency_and_times_in_utc() -> None:
    of = SimpleNamespace(currency="EUR", exponent=2)
    assert money(-120_05, of) == "-€120.05"
    at = datetime(2026, 1, 9, 23, 5, 7, tzinfo=UTC)
    assert time(at) == '<time datetime="2026-01-09T23:05:07Z">2026-01-09 23:05</time>'
    assert ">2026-01-09 23:05:07<" in time(at, seconds=True)
    assert "datetime" not in time(None)


def test_a_field_that_is_wrong_is_named_and_what_was_typed_is_kept() -> None:
    form = Form({"reason": "  two\r\nlines ", "long": "x" * 30, "odd": "a\x07b"})
    assert form.text("reason") == "two\nlines"
    assert form.text("nothing") == ""
    for name, words in (("nothing", "needed"), ("long", "20 fit"), ("odd", "nobody can read")):
        with pytest.raises(FormError, match=words) as wrong:
            form.text(name, most=20, required=True)
        assert wrong.value.form.error(name)
        assert words in str(form.error(name))
    assert form.value("long") == "x" * 30


def test_a_form_brings_along_a_file_where_one_was_chosen() -> None:
    form = Form(files={"photo": Attached(b"\x89PNG")})
    assert form.file("photo") == b"\x89PNG"
    assert form.file("other") is None
