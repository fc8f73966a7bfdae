"""The log: entries, trees, notes, policies and proofs (docs/verify.md, sections 10 and 11)."""

import hashlib
import re
import unicodedata

from chains import avatar_in, key_of
from steps import FAILED, Steps
from texts import canonical, decode_base64, decode_ed25519_key, is_ed25519_signature, parse_object

MAX_SIZE = 2**53 - 1
# UTF-16 code units, as JavaScript counts them.
MAX_NOTE = 128 * 1024
LOG_KEY, WITNESS_KEY, SEEN_KEY = 1, 4, 255
# What stands before the 32 bytes of a key, by its type.
PREFIXES = {LOG_KEY: b"\x01", WITNESS_KEY: b"\x04", SEEN_KEY: b"\xffsignet-seen/v1\x00"}
CLOCK_SPREAD_SECONDS = 300
COMMON = ("avatar", "created_at", "id", "identity", "platform", "signature", "signature_payload", "uuid")
KEY_TEXTS = ("cosignature", "cosigner", "signature", "signature_payload", "signer", "successor_signature", "uuid")
MEMBERS = {
    "link": (*COMMON, "action", "extra", "proof_location"),
    "kv": (*COMMON, "patch"),
    # Key events are about no identity.
    "key": ("action", "avatar", "created_at", "due_at", "fields", "id", "links", "patches", "recorded_at", *KEY_TEXTS),
}
ENTRY_MEMBERS = ("avatar", "id", "kind", "record", "recorded_at", "uuid", "v")
# What entries of a kind have beside these.
MORE_MEMBERS = {
    **{"link": ("action", "identity_key"), "kv": ("identity_key",), "key": ()},
    **{f"erased_{kind}": () for kind in MEMBERS},
}


def sha256(message):
    return hashlib.sha256(message).digest()


def leaf_hash(entry):
    return sha256(b"\x00" + entry)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def is_size(value):
    return isinstance(value, (int, float)) and value == int(value) and 0 <= value <= MAX_SIZE


def is_included(leaf, index, size, root, proof):
    """RFC 9162, 2.1.3.2."""
    if not is_size(index) or not is_size(size) or index >= size or any(len(h) != 32 for h in (leaf, root, *proof)):
        return False
    place, last, node = int(index), int(size) - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            node = node_hash(sibling, node)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and node == root


def is_consistent(size1, root1, size2, root2, proof):
    """RFC 9162, 2.1.4.2."""
    if not is_size(size1) or not is_size(size2) or size1 > size2:
        return False
    size1, size2 = int(size1), int(size2)
    if size1 == 0 and root1 != sha256(b""):
        return False
    if size1 == size2:
        return not proof and root1 == root2
    if any(len(one) != 32 for one in (root1, root2, *proof)):
        return False
    if size1 == 0 or not proof:
        return size1 == 0 and not proof
    hashes = [root1, *proof] if size1 & (size1 - 1) == 0 else list(proof)
    place, last = size1 - 1, size2 - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and old == root1 and new == root2


def record_of(kind, item):
    """KeyError where a member is missing."""
    if kind.startswith("erased_"):
        names = [*MEMBERS[kind.removeprefix("erased_")], "erased"]
        return sha256(canonical({name: item[name] for name in names}).encode()).hex()
    if "erased" in item:
        return item["erased"]["record"]
    return sha256(canonical({name: item[name] for name in MEMBERS[kind]}).encode()).hex()


def write_entry(kind, item, recorded_at):
    entry = {name: item[name] for name in ("avatar", "id", "uuid")}
    if kind == "link":
        entry["action"] = item["action"]
    if "identity_key" in MORE_MEMBERS[kind]:
        entry["identity_key"] = key_of(item)
    return canonical({**entry, "kind": kind, "record": record_of(kind, item), "recorded_at": recorded_at, "v": 1})


def parse_entry(encoded):
    """The object of canonical JSON, or None."""
    try:
        text = encoded.decode()
    except UnicodeDecodeError:
        return None
    entry = parse_object(text)
    return entry if entry is not None and canonical(entry) == text else None


def read_entry(encoded):
    """The entry of a link, a patch or an erasure, or None."""
    entry = parse_entry(encoded)
    kind = entry.get("kind") if entry is not None else None
    more = MORE_MEMBERS.get(kind) if isinstance(kind, str) else None
    if more is None or set(entry) != {*ENTRY_MEMBERS, *more}:
        return None
    hashes = [entry[name] for name in ("record", "identity_key") if name in entry]
    is_good = (
        isinstance(entry["v"], float)
        and entry["v"] == 1
        and all(isinstance(text, str) for text in (entry["avatar"], entry["uuid"], *hashes))
        and all(re.fullmatch("[0-9a-f]{64}", text) for text in hashes)
        and all(isinstance(entry[name], float) and is_size(entry[name]) for name in ("id", "recorded_at"))
        and entry.get("action", "create") in ("create", "delete")
    )
    return entry if is_good else None


def read_other_entry(encoded):
    """An entry of a kind that is not known here, as later versions may write it, or None."""
    entry = parse_entry(encoded)
    kind = entry.get("kind") if entry is not None else None
    is_kind = isinstance(kind, str) and re.fullmatch("[a-z][a-z0-9_]{1,31}", kind)
    return entry if is_kind and kind != "map" and kind not in MORE_MEMBERS else None


def is_key_name(name):
    return name != "" and not any(
        letter == "+" or letter.isspace() or unicodedata.category(letter) in ("Cc", "Cs") for letter in name
    )


def read_key(text):
    """A key of a log, a witness or an observer as (name, id in hex, type, 32 bytes), or None."""
    name, plus, rest = text.partition("+")
    key_id, plus, encoded = rest.partition("+")
    key = decode_base64(encoded) if plus else None
    prefix = PREFIXES.get(key[0]) if key else None
    if prefix is None or not key.startswith(prefix) or len(key) != len(prefix) + 32 or not is_key_name(name):
        return None
    if sha256(name.encode() + b"\n" + key)[:4].hex() != key_id or decode_ed25519_key(key[len(prefix) :]) is None:
        return None
    return name, key_id, key[0], key[len(prefix) :]


def read_signature_line(line):
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "—" or not is_key_name(parts[1]):
        return None
    signature = decode_base64(parts[2])
    return None if signature is None or len(signature) < 5 else (parts[1], signature[:4].hex(), signature[4:])


class Note:
    """A signed note. ValueError where it cannot be read."""

    def __init__(self, note):
        text, separator, below = note.rpartition("\n\n")
        lines = below[:-1].split("\n")
        self.signatures = [read_signature_line(line) for line in lines]
        self.text = text + "\n"
        is_note = separator and below.endswith("\n") and None not in self.signatures
        length = len(note.encode("utf-16-le", "surrogatepass")) // 2
        has_controls = re.search("[\x00-\x09\x0b-\x1f]", note)
        if not is_note or has_controls or length > MAX_NOTE:
            raise ValueError("It is not a signed note.")

    def signature_of(self, key):
        """The one signature of the key. None where there is none, and where two of its lines differ."""
        own = {signature for name, key_id, signature in self.signatures if (name, key_id) == key[:2]}
        return own.pop() if len(own) == 1 else None

    def is_signed_by(self, key):
        signature = self.signature_of(key)
        return signature is not None and is_ed25519_signature(self.text.encode(), signature, key[3])

class Checkpoint(Note):
    """A signed checkpoint. ValueError where it cannot be read."""

    def __init__(self, note):
        super().__init__(note)
        lines = self.text[:-1].split("\n")
        origin, size, root, *more = lines if len(lines) >= 3 else ("", "", "")
        self.origin, self.root = origin, decode_base64(root)
        is_head = origin and re.fullmatch("0|[1-9][0-9]*", size) and self.root is not None and len(self.root) == 32
        if not is_head or int(size) > MAX_SIZE or "" in more:
            raise ValueError("It is not a signed checkpoint.")
        self.size = int(size)

    def cosigned_at(self, key):
        """UNIX seconds, or None."""
        signature = self.signature_of(key)
        if signature is None:
            return None
        time = int.from_bytes(signature[:8], "big")
        message = f"cosignature/v1\ntime {time}\n{self.text}".encode()
        is_valid = time <= MAX_SIZE and is_ed25519_signature(message, signature[8:], key[3])
        return time if is_valid else None


def lines_of(text):
    """Lines that people write, without a byte order mark in front and without CR at their ends."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


class Policy:
    """Whom to believe. ValueError where the text is not a policy."""

    def __init__(self, text):
        self.logs, self.witnesses, self.groups, self.quorum = [], {}, {}, ""
        self.verdicts = {}
        self.members, self.keys = set(), set()
        lines = lines_of(text)
        if any(re.search("[\x00-\x08\x0b-\x1f\x7f]", line) for line in lines):
            raise ValueError("A policy holds no control characters.")
        for line in lines:
            words = [word for word in re.split("[ \t]+", line) if word]
            if words and not words[0].startswith("#"):
                self.add(*words)
        if self.quorum == "":
            raise ValueError("A policy has a quorum.")

    @staticmethod
    def of_log(key):
        policy = Policy("quorum none")
        policy.logs.append(key)
        return policy

    def add(self, keyword, *words):
        if keyword == "log" and len(words) in (1, 2):
            self.logs.append(self.key_of(words[0], LOG_KEY))
        elif keyword == "witness" and len(words) in (2, 3):
            self.witnesses[self.new_name(words[0])] = self.key_of(words[1], WITNESS_KEY)
        elif keyword == "group" and len(words) >= 3:
            self.add_group(*words)
        elif keyword == "quorum" and len(words) == 1 and self.quorum == "":
            if words[0] != "none" and not self.is_defined(words[0]):
                raise ValueError(f"{words[0]} is not defined above.")
            self.quorum = None if words[0] == "none" else words[0]
        else:
            raise ValueError(f"This is not a line of a policy: {keyword}")

    def add_group(self, name, threshold, *members):
        for member in members:
            if not self.is_defined(member) or member in self.members:
                raise ValueError(f"{member} is not defined above, or is a member already.")
            self.members.add(member)
        count = {"all": len(members), "any": 1}.get(threshold)
        if count is None:
            count = int(threshold) if re.fullmatch("[1-9][0-9]{0,5}", threshold) else 0
        if not 1 <= count <= len(members):
            raise ValueError("The threshold of a group lies between 1 and the number of its members.")
        self.groups[self.new_name(name)] = count, members

    def key_of(self, text, kind):
        key = read_key(text)
        if key is None or key[2] != kind or (kind, key[3]) in self.keys:
            raise ValueError(f"This is not a key of its kind, or stands twice: {text}")
        self.keys.add((kind, key[3]))
        return key

    def new_name(self, name):
        if name == "none" or self.is_defined(name):
            raise ValueError(f"{name} is not a new name.")
        return name

    def is_defined(self, name):
        return name in self.witnesses or name in self.groups

    def is_met(self, names, asked=""):
        asked = asked or self.quorum
        if asked is None:
            return True
        if asked in self.groups:
            count, members = self.groups[asked]
            return sum(self.is_met(names, member) for member in members) >= count
        return asked in names

    def judge(self, checkpoint, now=None):
        """The key of the log of the policy that signed, or None, and which witnesses signed at what time."""
        known = checkpoint.text, repr(checkpoint.signatures), now
        if known not in self.verdicts:
            own = (key for key in self.logs if key[0] == checkpoint.origin and checkpoint.is_signed_by(key))
            log_key = next(own, None)
            times = {name: checkpoint.cosigned_at(key) for name, key in self.witnesses.items()}
            latest = MAX_SIZE if now is None else now + CLOCK_SPREAD_SECONDS
            cosigned = {name: time for name, time in times.items() if time is not None and time <= latest}
            self.verdicts[known] = log_key, cosigned
        return self.verdicts[known]

    def check(self, steps, checkpoint, now=None):
        log_key, cosigned = self.judge(checkpoint, now)
        steps.add("log_signature", log_key is not None)
        if self.quorum is None:
            steps.open("witnesses")
        else:
            steps.add("witnesses", self.is_met(cosigned))
        return cosigned


def read_proof(text):
    """Entry, index, hashes and checkpoint, or None."""
    head, separator, note = text.partition("\n\n")
    lines = head.split("\n")
    entry = None
    if not separator or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        return None
    if lines and lines[0].startswith("extra "):
        entry = decode_base64(lines.pop(0)[len("extra ") :])
        if entry is None:
            return None
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0)) if lines else None
    hashes = [decode_base64(line) for line in lines]
    is_index = index is not None and int(index[1]) <= MAX_SIZE
    if not is_index or len(hashes) > 64 or any(one is None or len(one) != 32 for one in hashes):
        return None
    try:
        return entry, int(index[1]), hashes, Checkpoint(note)
    except ValueError:
        return None


def is_entry_of(entry, kind, item, avatar, about=None):
    """about chooses between the entry of an erased item ("record") and that of its erasure ("erasure")."""
    item = {**item, "avatar": avatar, "id": item.get("id", entry["id"])}
    is_named_erasure = entry["kind"].startswith("erased_") if about is None else about == "erasure"
    is_erasure = "erased" in item and is_named_erasure
    try:
        if entry["kind"] != (f"erased_{kind}" if is_erasure else kind):
            return False
        if is_erasure and entry["recorded_at"] != item["erased"].get("at"):
            return False
        is_same = all(entry[name] == item[name] for name in ("avatar", "id", "uuid"))
        is_deed = "action" not in entry or entry["action"] == item["action"]
        is_about = "identity_key" not in entry or entry["identity_key"] == key_of(item)
        return is_same and is_deed and is_about and entry["record"] == record_of(entry["kind"], item)
    except (AttributeError, KeyError, TypeError):
        return False


def check_proof(text, kind, item, policy, avatar=None, now=None, about=None):
    """The steps, and what the proof holds where it can be read."""
    steps = Steps()
    proof = read_proof(text)
    if not steps.add("proof", proof is not None):
        return steps, None
    encoded, index, hashes, checkpoint = proof
    entry = read_entry(encoded) if encoded is not None else None
    if avatar is None:
        avatar = item.get("avatar", avatar_in(item.get("signature_payload")))
    steps.add("entry", entry is not None and is_entry_of(entry, kind, item, avatar, about))
    is_there = encoded is not None and is_included(leaf_hash(encoded), index, checkpoint.size, checkpoint.root, hashes)
    steps.add("inclusion", is_there)
    policy.check(steps, checkpoint, now)
    return steps, proof


def check_export_log(file, policy=None, now=None):
    """The steps of the log of an export whose file has the form of one."""
    steps = Steps()
    if "log" not in file:
        steps.open("logged")
        return steps
    log = file["log"] if isinstance(file["log"], dict) else {}
    proofs, erasures, of_keys = log.get("proofs"), log.get("erasures", {}), log.get("key_proofs", {})
    is_log = all(are_texts(named) for named in (proofs, erasures, of_keys)) and isinstance(log.get("verifier_key"), str)
    if not is_log:
        steps.add("logged", False)
        return steps
    if policy is None:
        key = read_key(log["verifier_key"])
        if key is None or key[2] != LOG_KEY:
            steps.add("log_key", False)
            return steps
        steps.open("log_key")
        policy = Policy.of_log(key)
    lists = {"link": file["links"], "kv": file["patches"], "key": file.get("keys", [])}
    items = [(kind, item if isinstance(item, dict) else {}) for kind, some in lists.items() for item in some]
    uuids = [item.get("uuid") for _, item in items]
    results, placed, missing = [], {kind: [] for kind in lists}, 0
    for (kind, item), uuid in zip(items, uuids):
        index = origin = None
        own_proofs = of_keys if kind == "key" else proofs
        asked = [("record", own_proofs), ("erasure", erasures)] if "erased" in item else [("record", own_proofs)]
        for about, named in asked:
            if not isinstance(uuid, str) or uuid not in named:
                missing += 1
                continue
            own, proof = check_proof(named[uuid], kind, item, policy, file["avatar"], now, about)
            results.append((own, proof))
            if own.is_good and about == "record":
                index, origin = proof[1], proof[3].origin
            steps.extend((name, state, uuid) for name, state, _ in own if state == FAILED and name != "witnesses")
        placed[kind].append((item, index, origin))
    known = {uuid for (kind, _), uuid in zip(items, uuids) if isinstance(uuid, str) and kind != "key"}
    known_keys = {uuid for (kind, _), uuid in zip(items, uuids) if isinstance(uuid, str) and kind == "key"}
    gone = {item["uuid"] for _, item in items if "erased" in item and isinstance(item.get("uuid"), str)}
    strangers = set(proofs) - known or set(of_keys) - known_keys or set(erasures) - gone
    is_wrong = strangers or not all(own.is_good for own, _ in results)
    if is_wrong or not all(are_in_order(some) for some in placed.values()):
        steps.add("logged", False)
    elif missing:
        steps.open("logged")
    else:
        steps.add("logged", True)
    heads = [proof[3] for own, proof in results if own.is_good]
    roots = {(head.origin, head.size, head.root) for head in heads}
    steps.add("log_history", len(roots) == len({root[:2] for root in roots}))
    if results and policy.quorum is None:
        steps.open("witnesses")
    elif results:
        steps.add("witnesses", all(("witnesses", "ok", "") in own for own, _ in results))
    if "map" in log:
        check_complete(steps, file, placed, heads, policy, now)
    else:
        steps.open("complete")
    return steps


def check_complete(steps, file, placed, heads, policy, now):
    """placed has the records by kind, each with its index where a proof of it verifies; heads are of all proofs."""
    # maps.py reads proofs with this module.
    from maps import check_answer

    own, read = check_answer(file["log"]["map"], {"avatar": file["avatar"]}, policy, now)
    if not own.is_good:
        steps.add("complete", False)
        return
    of_map = read["head"]
    is_other = any(policy.judge(head, now)[0] != policy.judge(of_map, now)[0] for head in heads)
    if is_other or any(head.size == of_map.size and head.root != of_map.root for head in heads):
        steps.add("complete", False)
        return
    value = read["value"] or {"link": None, "links": 0, "patch": None, "patches": 0}
    size = read["entry"]["size"]
    where = f"at UNIX time {int(read['entry']['recorded_at'])}"
    if "keys" not in file and value.get("keys", 0) > 0:
        # Written by a program before 0.3.0, which knows no key events.
        steps.open("complete", where)
        return
    states = [
        state_of(placed["link"], int(value["links"]), value["link"], size),
        state_of(placed["kv"], int(value["patches"]), value["patch"], size),
        state_of(placed["key"], int(value.get("keys", 0)), value.get("key"), size),
    ]
    # Whoever has a proof of a newer tree head could have had a newer map.
    is_open = None in states or any(head.size > of_map.size for head in heads)
    # Nothing is said of what came later.
    if is_open and False not in states:
        steps.open("complete", where)
    else:
        steps.add("complete", all(states), where)


def state_of(placed, count, newest, size):
    """Whether these are the records that the map counts, and newer ones. None where that is not known."""
    counted = [index for _, index, _ in placed[:count]]
    others = [index for _, index, _ in placed[count:]]
    if len(counted) < count or any(index is not None and index < size for index in others):
        return False
    if any(index is not None and index >= size for index in counted):
        return False
    last = counted[-1] if counted else newest
    if last is not None and last != newest:
        return False
    # Signatures show the order of those whose texts are there; beside an erased one, only proofs show which are counted.
    has_erased = any("erased" in item for item, _, _ in placed[:count])
    is_open = None in others or (counted and last is None) or (has_erased and None in counted)
    return None if is_open else True


def are_texts(named):
    return isinstance(named, dict) and all(isinstance(proof, str) for proof in named.values())


def are_in_order(placed):
    """Whether the entries of links, or of patches, stand in each log in the order of the file."""
    last = {}
    for _, index, origin in placed:
        if index is not None:
            if index <= last.get(origin, -1):
                return False
            last[origin] = index
    return True
