"""Files an auditor is handed: what is damaged or foreign is said to be, and nothing more."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.log.signing import SigningKey, new_key, read_key, signed
from services.proof.checkpoint import Checkpoint, origin_of, parse_checkpoint, verify_checkpoint
from services.proof.consistency import TYPE, verify_consistency
from services.proof.errors import NotSigned, ProofError, Tampered, Unreadable, WrongSignature
from services.proof.notes import parse_vkey, to_base64, verify_note
from services.proof.rotation import rotation_text, verify_rotation
from services.proof.tlog_proof import TlogProof, parse_proof, verify_proof
from services.proof.tree import leaf_hash, root_of

LOG = "cards.example/main"
KEY = SigningKey(LOG, bytes(range(32)))
VKEY = KEY.verifier
ENTRIES = [b'{"n":1}', b'{"n":2}', b'{"n":3}']
LEAVES = [leaf_hash(entry) for entry in ENTRIES]


def note_of(size: int, *keys: SigningKey, origin: str = LOG) -> str:
    text = str(Checkpoint(origin, size, root_of(LEAVES[:size])))
    return signed(text, keys or (KEY,))


PROOF = str(TlogProof(2, (root_of(LEAVES[:2]),), note_of(3), ENTRIES[2]))
GROWN = {
    "type": TYPE,
    "from": 2,
    "to": 3,
    "hashes": [to_base64(LEAVES[2])],
    "from_checkpoint": note_of(2),
    "to_checkpoint": note_of(3),
}
CONSISTENCY = msgspec.json.encode(GROWN).decode()

CHECKS: dict[str, tuple[str, Callable[[str], object]]] = {
    "checkpoint": (note_of(3), lambda text: verify_checkpoint(text, [VKEY])),
    "inclusion": (PROOF, lambda text: verify_proof(text, [VKEY])),
    "consistency": (CONSISTENCY, lambda text: verify_consistency(text, [VKEY])),
}


@pytest.mark.parametrize("what", CHECKS)
def test_an_untouched_file_holds(what: str) -> None:
    text, check = CHECKS[what]
    assert check(text)


@pytest.mark.parametrize("what", CHECKS)
@given(data=st.data())
def test_a_file_with_one_character_changed_proves_nothing_else(
    what: str, data: st.DataObject
) -> None:
    text, check = CHECKS[what]
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("0123456789ABCabc+/= \n—\x00\u2028") | st.just(""))
    try:
        found = check(text[:at] + other + text[at + 1 :])
    except ProofError:
        return
    assert found == check(text)


@pytest.mark.parametrize("what", CHECKS)
@given(text=st.text(max_size=60) | st.sampled_from(["{}", "[]", "null", "\n\n", "[" * 9_000]))
def test_a_file_of_another_kind_is_unreadable(what: str, text: str) -> None:
    with pytest.raises(Unreadable):
        CHECKS[what][1](text)


def test_a_note_of_the_go_programs_verifies_and_their_key_signs_the_same() -> None:
    """The example of the Go package that defined the format."""
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
    )
    line = (
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng"
        "otpRZb6KE6RyyBwJnAM=\n"
    )
    vkey = parse_vkey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    private = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    assert verify_note(f"{text}\n{line}", [vkey]) == (text, vkey)
    assert read_key(private, "here").line(text) == line


# -- whose signature it is -------------------------------------------------------------------------


def test_signatures_of_strangers_are_passed_over() -> None:
    witness = new_key("witness.example")
    assert verify_checkpoint(note_of(3, witness, KEY), [VKEY]).size == 3
    with pytest.raises(NotSigned, match="not by the key that was given"):
        verify_checkpoint(note_of(3, witness), [VKEY])


def test_one_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    other = new_key(LOG)
    text, _, lines = note_of(3, KEY, other).rpartition("\n\n")
    first, second = lines.splitlines()
    wrong = note_of(2, other).splitlines()[-1]
    assert verify_checkpoint(f"{text}\n\n{first}\n{second}\n", [VKEY, other.verifier])
    with pytest.raises(WrongSignature):
        verify_checkpoint(f"{text}\n\n{first}\n{wrong}\n", [VKEY, other.verifier])


def test_a_key_speaks_for_the_log_it_is_named_after_and_its_epochs() -> None:
    assert verify_checkpoint(note_of(3, origin=origin_of(LOG, 2)), [VKEY]).epoch == 2
    for other in ("cards.example/other", f"{LOG}/epoch/x", f"{LOG}/epoch/01"):
        with pytest.raises(NotSigned, match="does not speak for"):
            verify_checkpoint(note_of(3, origin=other), [VKEY])


@pytest.mark.parametrize(
    "text",
    [
        f"{LOG}\n0\n{to_base64(bytes(32))}\n",
        f"{LOG}\n03\n{to_base64(bytes(32))}\n",
        f"{LOG}\n-3\n{to_base64(bytes(32))}\n",
        f"{LOG}\n3\n{to_base64(bytes(31))}\n",
        f"{LOG}\n3\n\n",
        f"{LOG}\n3\n",
        f"\n3\n{to_base64(bytes(32))}\n",
    ],
)
def test_what_is_signed_but_no_checkpoint_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        verify_checkpoint(signed(text, [KEY]), [VKEY])


def test_extension_lines_are_signed_and_passed_over() -> None:
    note = signed(f"{LOG}\n3\n{to_base64(root_of(LEAVES))}\nmore\n", [KEY])
    assert verify_checkpoint(note, [VKEY]) == parse_checkpoint(note_of(3))


@pytest.mark.parametrize("damage", ["", "a", "a+b", "a+b+c", f"{VKEY}x", str(VKEY)[1:], "é+1+AQ=="])
def test_a_damaged_verifier_key_is_unreadable(damage: str) -> None:
    assert parse_vkey(f" {VKEY}\n") == VKEY
    with pytest.raises(Unreadable):
        parse_vkey(damage)


# -- what a proof is about -------------------------------------------------------------------------


def test_the_event_in_a_proof_is_not_believed() -> None:
    with pytest.raises(Tampered):
        verify_proof(str(parse_proof(PROOF)._replace(extra=ENTRIES[1])), [VKEY])
    with pytest.raises(Tampered):
        verify_proof(PROOF, [VKEY], entry=ENTRIES[1])


def test_roots_and_sizes_beside_the_checkpoints_are_not_believed() -> None:
    for change in ({"from": 1}, {"to": 2}, {"from_checkpoint": note_of(3)}):
        with pytest.raises(ProofError):
            verify_consistency(msgspec.json.encode(GROWN | change).decode(), [VKEY])


def test_a_rotation_passes_the_same_log_on_and_no_other() -> None:
    old, new, stranger = KEY, new_key(LOG), new_key("cards.example/other")

    def passed(first: SigningKey, second: SigningKey, *by: SigningKey) -> object:
        return verify_rotation(signed(rotation_text(first.verifier, second.verifier), by), VKEY)

    assert passed(old, new, old, new) == new.verifier
    for first, second, by in (
        (old, new, (old,)),
        (old, new, (new,)),
        (old, stranger, (old, stranger)),
        (stranger, new, (old, new)),
    ):
        with pytest.raises(ProofError):
            passed(first, second, *by)
    with pytest.raises(Unreadable):
        verify_rotation(note_of(3), VKEY)
