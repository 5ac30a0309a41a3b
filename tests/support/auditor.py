"""A bundle's verifier written from `docs/verifying.md` alone; it shares no code with the program.

SHA-256, JSON and zip of the standard library, Ed25519 from cryptography, RFC 8785 from rfc8785.
"""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Line = dict[str, Any]
ENDS = {"hand_completed.v1", "hand_voided.v1"}


def audit(path: Path, vkey: str, previous: str | None = None) -> dict[str, int]:
    """Check a bundle; how many hands, events and opened cards it has. Raises if anything is off.

    Whatever it raises means: not as the page says.
    """
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    require(manifest["format"] == "studledger-bundle" and manifest["version"] == 2)
    told = {file["name"]: (file["bytes"], file["sha256"]) for file in manifest["files"]}
    require(told == {n: (len(f), sha256(f).hexdigest()) for n, f in files.items()})
    size, root = checkpoint(files["checkpoint"].decode(), vkey)
    hashes = split(files["leaves.bin"]) if manifest["whole"] else []
    if manifest["whole"]:
        require(len(hashes) == size and tree(hashes) == root and not files["consistency.jsonl"])
    if previous is not None:
        goes_on(previous, vkey, size, root, hashes, files["consistency.jsonl"])
    events = list(lines(files["events.jsonl"]))
    opened = list(lines(files["disclosures.jsonl"]))
    hands, live, first = 0, 0, -1
    for stream, group in groupby(events, key=lambda line: line["form"]["stream"]):
        facts = list(group)
        require(facts[0]["leaf"] > first)
        first = facts[0]["leaf"]
        in_order(facts, manifest["room"])
        for fact in facts:
            included(fact, size, root, hashes)
        if facts[0]["form"]["event"]["type"] == "hand_started.v1":
            hands += 1
            cards = [line for line in opened if line["hand"] == stream]
            ended = any(fact["form"]["event"]["type"] in ENDS for fact in facts)
            live += not ended
            every = manifest["view"] == "all" and (ended or not manifest["whole"])
            open_cards(stream, facts, cards, everything=every)
            conserve_chips([fact["form"]["event"] for fact in facts])
    counts = {"hands": hands, "live": live, "events": len(events)}
    require(counts.items() <= manifest.items())
    if manifest["whole"] and manifest["view"] == "all":
        require(len(events) == size)
    return counts | {"opened": len(opened)}


def require(holds: object) -> None:
    if not holds:
        raise ValueError("not as it should be")


def lines(text: bytes) -> Iterator[Line]:
    for line in text.splitlines():
        told = json.loads(line)
        require(rfc8785.dumps(told) == line)
        yield told


def split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + 32] for at in range(0, len(hashes), 32)]


def leaf(entry: bytes) -> bytes:
    return sha256(b"\0" + entry).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def tree(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(tree(leaves[:k]), tree(leaves[k:]))


def walk(hashed: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """RFC 9162, 2.1.3.2."""
    require(index < size)
    fn, sn = index, size - 1
    for step in path:
        require(sn)
        if fn & 1 or fn == sn:
            hashed = node(step, hashed)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            hashed = node(hashed, step)
        fn, sn = fn >> 1, sn >> 1
    require(sn == 0)
    return hashed


def checkpoint(note: str, vkey: str) -> tuple[int, bytes]:
    """The size and root, once the key is seen to have signed them."""
    name, key_id, key = vkey.split("+", 2)
    public = base64.b64decode(key)[1:]
    require(sha256(name.encode() + b"\n\1" + public).hexdigest()[:8] == key_id)
    text, _, below = note.rpartition("\n\n")
    origin, size, root = text.split("\n")
    require(origin == name or origin.startswith(f"{name}/epoch/"))
    ours = [line.split(" ")[2] for line in below.splitlines() if line.startswith(f"— {name} ")]
    signatures = [base64.b64decode(one) for one in ours]
    [signature] = [one[4:] for one in signatures if one[:4].hex() == key_id]
    Ed25519PublicKey.from_public_bytes(public).verify(signature, (text + "\n").encode())
    return int(size), base64.b64decode(root)


def goes_on(
    previous: str, vkey: str, size: int, root: bytes, hashes: list[bytes], proofs: bytes
) -> None:
    earlier, earlier_root = checkpoint(previous, vkey)
    require(0 < earlier <= size)
    if hashes:
        require(tree(hashes[:earlier]) == earlier_root)
    elif earlier == size:
        require(root == earlier_root)
    else:
        [proof] = [line["hashes"] for line in lines(proofs) if line["from"] == earlier]
        consistent(earlier, earlier_root, size, root, [base64.b64decode(one) for one in proof])


def consistent(m: int, old: bytes, n: int, new: bytes, path: list[bytes]) -> None:
    """RFC 9162, 2.1.4.2."""
    path = [old, *path] if m & (m - 1) == 0 else path
    fn, sn = m - 1, n - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for step in path[1:]:
        require(sn)
        if fn & 1 or fn == sn:
            fr, sr = node(step, fr), node(step, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, step)
        fn, sn = fn >> 1, sn >> 1
    require((fr, sr, sn) == (old, new, 0))


def in_order(facts: list[Line], room: str) -> None:
    require([fact["form"]["n"] for fact in facts] == list(range(1, len(facts) + 1)))
    leaves = [fact["leaf"] for fact in facts]
    require(leaves == sorted(set(leaves)))
    require({fact["form"]["room"] for fact in facts} == {room})


def included(fact: Line, size: int, root: bytes, hashes: list[bytes]) -> None:
    hashed = leaf(rfc8785.dumps(fact["form"]))
    if hashes:
        require(hashes[fact["leaf"]] == hashed)
    else:
        path = [base64.b64decode(one) for one in fact["proof"]]
        require(walk(hashed, fact["leaf"], size, path) == root)


def open_cards(hand: str, facts: list[Line], opened: list[Line], *, everything: bool) -> None:
    closed, at = dealt(facts)
    for one in opened:
        if "n" in one:
            digest, position = closed.pop((one["n"], one["index"]))
            where = "-" if position is None else position
            place = f"studledger card v1\n{hand}\n{one['n']}\n{one['index']}\n{where}\n"
            salted = place.encode() + bytes.fromhex(one["salt"]) + one["card"].encode()
            require(sha256(salted).hexdigest() == digest)
            at[position] = one["card"]
    require(not (everything and closed))
    commitment = facts[0]["form"]["event"]["deck"]["commitment"]
    for one in opened:
        if "deck" in one:
            place = f"studledger deck v1\n{hand}\n{one['deck']}\n"
            salted = place.encode() + bytes.fromhex(one["salt"]) + one["card"].encode()
            path = [bytes.fromhex(step) for step in one["path"]]
            require(f"deck.v1:{walk(leaf(salted), one['deck'], 52, path).hex()}" == commitment)
            require(at[one["deck"]] == one["card"])


def dealt(facts: list[Line]) -> tuple[dict[Any, Any], dict[Any, str]]:
    """Digest and position of each face-down card; the open cards by their positions."""
    closed, at = {}, {}
    for fact in facts:
        event = fact["form"]["event"]
        if event["type"] == "cards_dealt.v1":
            down = len(event["down"])
            positions = event["positions"] or [None] * (down + len(event["up"]))
            for index, digest in enumerate(event["down"]):
                closed[fact["form"]["n"], index] = (digest, positions[index])
            at.update(zip(positions[down:], event["up"], strict=True))
        if event["type"] == "community_card_dealt.v1":
            at[event["position"]] = event["card"]
    return closed, at


def conserve_chips(events: list[Line]) -> None:
    stacks = [event for event in events if event["type"] == "hand_completed.v1"]
    if stacks:
        brought = sum(seat["stack"] for seat in events[0]["seats"])
        left = sum(seat["stack"] for seat in stacks[0]["stacks"])
        rake = sum(event["total"] for event in events if event["type"] == "rake_taken.v1")
        require(brought == left + rake)
