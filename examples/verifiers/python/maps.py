"""The map over the log: proofs, entries, answers, replay (docs/verify.md, section 13)."""

import re

from log import is_included, is_size, leaf_hash as log_leaf_hash, read_proof, sha256
from steps import Steps
from texts import canonical, parse_object

EMPTY = bytes(32)
# An answer may name no holders where there are more than these.
MOST_NAMED = 1000
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


def is_count(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and is_size(value)


def has_members(value, names):
    return isinstance(value, dict) and set(value) == set(names)


def read_hash(text):
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError("map_answer")
    return bytes.fromhex(text)


def read_map_proof(proof):
    if not isinstance(proof, dict) or not isinstance(proof.get("siblings"), list) or "end" not in proof:
        raise ValueError("map_answer")
    siblings, end = [read_hash(one) for one in proof["siblings"]], proof["end"]
    if end is None:
        return siblings, None
    if not isinstance(end, dict):
        raise ValueError("map_answer")
    return siblings, (read_hash(end.get("key")), read_hash(end.get("value_hash")))


def is_value(value, is_of_identity):
    if is_of_identity and has_members(value, ("holders", "root")):
        return is_count(value["holders"]) and bool(read_hash(value["root"]))
    names = {"link", "links", "patch", "patches"}
    if is_of_identity or not isinstance(value, dict) or not names <= set(value):
        return False
    more = set(value) - names
    kinds = {name.removesuffix("s") for name in more}
    are_kinds = all(is_counted_kind(kind) for kind in kinds) and more == kinds | {f"{kind}s" for kind in kinds}
    places = [value[name] for name in ("link", "patch") if value[name] is not None]
    return are_kinds and all(is_count(number) for number in (value["links"], value["patches"], *places, *map(value.get, more)))


def is_counted_kind(kind):
    """Whether entries of a kind that is not known here count for the Avatar that they name."""
    return re.fullmatch("[a-z]{1,15}[a-rt-z]", kind) is not None and kind not in ("link", "kv", "patch", "map")


def is_avatar(name):
    return isinstance(name, str) and re.fullmatch("0x0[23][0-9a-f]{64}", name) is not None


def is_holder(holder):
    return has_members(holder, ("avatar", "link")) and is_avatar(holder["avatar"]) and is_count(holder["link"])


def read_answer(answer, question):
    """Key, value, proof, holders, holder and proof of the log. Raises ValueError for other shapes."""
    if not isinstance(answer, dict) or "value" not in answer or not isinstance(answer.get("log_proof"), str):
        raise ValueError("map_answer")
    is_of_identity = "platform" in question
    asks_all, asks_one = is_of_identity and "avatar" not in question, is_of_identity and "avatar" in question
    value, holders, holder = answer["value"], answer.get("holders"), answer.get("holder")
    is_good = value is None or is_value(value, is_of_identity)
    if holders is not None:
        is_good = is_good and asks_all and isinstance(holders, list) and all(is_holder(one) for one in holders)
    if holder is not None:
        is_good = is_good and asks_one and isinstance(holder, dict) and "value" in holder
        of_one = holder.get("value") if is_good else None
        is_good = is_good and (of_one is None or has_members(of_one, ("link",)) and is_count(of_one["link"]))
        holder = (of_one, read_map_proof(holder.get("proof"))) if is_good else None
    if not is_good:
        raise ValueError("map_answer")
    return read_hash(answer.get("key")), value, read_map_proof(answer.get("proof")), holders, holder, answer["log_proof"]


def value_hash(value):
    return sha256(canonical(value).encode())


def entries_in(value):
    """The numbers of the entries that a value names."""
    return [entry for name, entry in (value or {}).items() if name != "root" and not name.endswith("s") and entry is not None]


def check_value(steps, names, value, proof, key, root, size):
    """Whether the proof shows this value, of a map of so many entries, or with None that there is none."""
    try:
        proven = proven_value(root, key, *proof)
    except ValueError:
        return steps.add(names[0], False)
    is_same = proven == (None if value is None else value_hash(value))
    return steps.add(names[1], is_same and all(entry < size for entry in entries_in(value)))


def check_answer(answer, question, policy, now=None):
    """The steps of an answer of GET /v1/log/map, and what it shows where it can be read."""
    steps, is_of_identity = Steps(), "platform" in question
    try:
        given, value, proof, holders, holder, written = read_answer(answer, question)
    except ValueError:
        steps.add("map_answer", False)
        return steps, None
    of_log = read_proof(written)
    if not steps.add("proof", of_log is not None):
        return steps, None
    encoded, index, hashes, checkpoint = of_log
    entry = read_entry(encoded) if encoded is not None else None
    steps.add("map_entry", entry is not None)
    steps.add("map_last", index == checkpoint.size - 1)
    if entry is not None:
        steps.add("map_size", entry["size"] == index)
    is_there = encoded is not None and is_included(
        log_leaf_hash(encoded), index, checkpoint.size, checkpoint.root, hashes
    )
    steps.add("inclusion", is_there)
    policy.check(steps, checkpoint, now)
    if is_of_identity:
        key = identity_key(question["platform"], question["identity"])
    else:
        key = avatar_key(question["avatar"])
    steps.add("map_key", given == key)
    is_shown = entry is not None and check_value(
        steps, ("map_proof", "map_value"), value, proof, key, bytes.fromhex(entry["root"]), entry["size"]
    )
    if is_shown and is_of_identity and "avatar" in question:
        check_holder(steps, holder, question["avatar"], value, entry["size"])
    elif is_shown and is_of_identity:
        check_holders(steps, holders, value, entry["size"])
    of_one = holder[0] if holder else None
    return steps, {"head": checkpoint, "entry": entry, "value": value, "holders": holders, "holder": of_one}


def check_holders(steps, holders, value, size):
    if holders is None:
        steps.add("map_holders", value is not None and value["holders"] > MOST_NAMED)
        return
    leaves = {holder_key(holder["avatar"]): value_hash({"link": holder["link"]}) for holder in holders}
    count, root = (value["holders"], value["root"]) if value else (0, EMPTY.hex())
    are_all = len(holders) == len(leaves) == count and root_of(leaves).hex() == root
    steps.add("map_holders", are_all and all(holder["link"] < size for holder in holders))


def check_holder(steps, holder, avatar, value, size):
    if value is None or holder is None:
        steps.add("map_holder", value is None and holder is None)
    else:
        names = "map_holder", "map_holder"
        check_value(steps, names, holder[0], holder[1], holder_key(avatar), bytes.fromhex(value["root"]), size)


class Map:
    """The state after the entries of a log, one after the other."""

    def __init__(self):
        self.size, self.avatars, self.holders, self.creates = 0, {}, {}, {}

    def apply(self, entry):
        index = self.size
        self.size += 1
        if entry["kind"] == "erased_link":
            held, avatar, made_at = self.creates.get(entry["id"], ({}, None, None))
            # Another link may hold the identity by now.
            if held.get(avatar) == made_at:
                held.pop(avatar, None)
        kind, avatar = entry["kind"], entry.get("avatar")
        if kind not in ("link", "kv") and not (is_counted_kind(kind) and is_avatar(avatar)):
            return
        state = self.avatars.setdefault(avatar, {"link": None, "links": 0, "patch": None, "patches": 0})
        newest, count = ("patch", "patches") if kind == "kv" else (kind, f"{kind}s")
        state[newest], state[count] = index, state.get(count, 0) + 1
        if kind != "link":
            return
        held = self.holders.setdefault(bytes.fromhex(entry["identity_key"]), {})
        if entry["action"] == "create":
            held[entry["avatar"]] = index
            self.creates[entry["id"]] = held, entry["avatar"], index
        else:
            held.pop(entry["avatar"], None)

    def root(self):
        leaves = {avatar_key(avatar): value_hash(state) for avatar, state in self.avatars.items()}
        for key, held in self.holders.items():
            if held:
                tree = root_of({holder_key(avatar): value_hash({"link": index}) for avatar, index in held.items()})
                leaves[key] = value_hash({"holders": len(held), "root": tree.hex()})
        return root_of(leaves)
