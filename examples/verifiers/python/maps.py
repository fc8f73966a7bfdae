"""The map over the log: proofs, entries, replay (docs/verify.md, section 13)."""

import re

from log import is_size, sha256
from texts import canonical, parse_object

EMPTY = bytes(32)
ENTRY_MEMBERS = {"kind", "recorded_at", "root", "size", "v"}


def avatar_key(avatar):
    return sha256(b"signet-map/1 avatar\n" + avatar.encode())


def identity_key(platform, identity):
    return sha256(f"signet-map/1 identity\n{platform}\n{identity}".encode())


def holder_key(avatar):
    return sha256(b"signet-map/1 holder\n" + avatar.encode())


def bit(key, depth):
    return key[depth >> 3] >> (7 - (depth & 7)) & 1


def leaf_hash(key, value_hash):
    return sha256(b"\x02" + key + value_hash)


def node_hash(left, right):
    return sha256(b"\x03" + left + right)


def proven_value(root, key, siblings, end):
    """The hash of the value of a key, or None if it is shown to have none. Raises ValueError if nothing is shown."""
    depth = len(siblings)
    hashes = [root, key, *siblings, *(end or ())]
    if depth > 256 or any(len(one) != 32 for one in hashes):
        raise ValueError("map_proof")
    if end and any(bit(end[0], at) != bit(key, at) for at in range(depth)):
        raise ValueError("map_proof")
    node = leaf_hash(*end) if end else EMPTY
    for at, sibling in zip(reversed(range(depth)), siblings):
        node = node_hash(sibling, node) if bit(key, at) else node_hash(node, sibling)
    if node != root:
        raise ValueError("map_proof")
    return end[1] if end and end[0] == key else None


def root_of(leaves, depth=0):
    """The root over a dict of keys and hashes of values."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaf_hash(*next(iter(leaves.items())))
    sides = [{key: value for key, value in leaves.items() if bit(key, depth) == side} for side in (0, 1)]
    return node_hash(root_of(sides[0], depth + 1), root_of(sides[1], depth + 1))


def read_entry(encoded):
    """An entry of the map, or None."""
    try:
        text = encoded.decode("utf-8")
    except UnicodeDecodeError:
        return None
    entry = parse_object(text)
    if entry is None or set(entry) != ENTRY_MEMBERS or entry["kind"] != "map" or entry["v"] != 1:
        return None
    numbers = [entry["recorded_at"], entry["size"]]
    if any(isinstance(number, bool) or not is_size(number) for number in numbers) or isinstance(entry["v"], bool):
        return None
    if not isinstance(entry["root"], str) or not re.fullmatch("[0-9a-f]{64}", entry["root"]):
        return None
    return entry if canonical(entry) == text else None


class Map:
    """The state after the entries of a log, one after the other."""

    def __init__(self):
        self.size, self.avatars, self.holders = 0, {}, {}

    def apply(self, entry):
        index = self.size
        self.size += 1
        if entry["kind"] not in ("link", "kv"):
            return
        state = self.avatars.setdefault(entry["avatar"], {"link": None, "links": 0, "patch": None, "patches": 0})
        newest, count = ("patch", "patches") if entry["kind"] == "kv" else ("link", "links")
        state[newest], state[count] = index, state[count] + 1
        if entry["kind"] == "kv":
            return
        held = self.holders.setdefault(identity_key(entry["platform"], entry["identity"]), {})
        if entry["action"] == "create":
            held[entry["avatar"]] = index
        else:
            held.pop(entry["avatar"], None)

    def root(self):
        def value_hash(value):
            return sha256(canonical(value).encode())

        leaves = {avatar_key(avatar): value_hash(state) for avatar, state in self.avatars.items()}
        for key, held in self.holders.items():
            if held:
                tree = root_of({holder_key(avatar): value_hash({"link": index}) for avatar, index in held.items()})
                leaves[key] = value_hash({"holders": len(held), "root": tree.hex()})
        return root_of(leaves)
