"""Receipts of writes, and notes of logs that have ended (docs/verify.md, section 12)."""

import re

from chains import avatar_in
from log import (
    CLOCK_SPREAD_SECONDS,
    LOG_KEY,
    MAX_SIZE,
    MEMBERS,
    Note,
    check_proof,
    is_key_name,
    read_entry,
    read_key,
    sha256,
)
from steps import FAILED, Steps
from texts import canonical

FORMS = {
    "log": ".+",
    "kind": "link|kv|key",
    "avatar": "0x0[23][0-9a-f]{64}",
    "uuid": "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "hash": "[0-9a-f]{64}",
    "time": "0|[1-9][0-9]{0,15}",
    "deadline": "0|[1-9][0-9]{0,15}",
}
NEXT_LOG = re.compile("signet-next-log/1\nlog (.+)\nnext (.+)\ntime (0|[1-9][0-9]{0,15})\n")


def read_receipt(text):
    """The note and what it says, or None."""
    try:
        note = Note(text)
    except ValueError:
        return None
    first, *lines = note.text[:-1].split("\n")
    names = [line.partition(" ")[0] for line in lines]
    if first != "signet-receipt/1" or names != list(FORMS):
        return None
    receipt = dict(line.split(" ", 1) if " " in line else (line, "") for line in lines)
    is_form = all(re.fullmatch(form, receipt[name]) for name, form in FORMS.items())
    if not is_form or not is_key_name(receipt["log"]):
        return None
    receipt.update(time=int(receipt["time"]), deadline=int(receipt["deadline"]))
    return (note, receipt) if receipt["time"] <= receipt["deadline"] <= MAX_SIZE else None


def read_next_log(text, key):
    """What the key of a log that has ended says of the next one, or None."""
    try:
        note = Note(text)
    except ValueError:
        return None
    said = NEXT_LOG.fullmatch(note.text)
    named = read_key(said[2]) if said else None
    if named is None or key[2] != LOG_KEY or named[2] != LOG_KEY or not note.is_signed_by(key):
        return None
    is_good = said[1] == key[0] != named[0] and int(said[3]) <= MAX_SIZE
    return {"log": said[1], "next": said[2], "time": int(said[3])} if is_good else None


def is_receipt_of(receipt, kind, item, avatar):
    """Whether the receipt is that of this link or patch, exactly as it is at hand."""
    try:
        record = {name: {**item, "avatar": avatar}[name] for name in MEMBERS[kind] if name != "id"}
    except KeyError:
        return False
    names = (receipt["kind"], receipt["avatar"], receipt["uuid"])
    return names == (kind, avatar, item["uuid"]) and receipt["hash"] == sha256(canonical(record).encode()).hex()


def check_receipt(text, policy, kind=None, item=None, avatar=None, proof=None, now=None):
    """The steps, and what the receipt says where it can be read."""
    steps = Steps()
    read = read_receipt(text)
    if not steps.add("receipt", read is not None):
        return steps, None
    note, receipt = read
    is_signed = any(key[0] == receipt["log"] and note.is_signed_by(key) for key in policy.logs)
    steps.add("receipt_signature", is_signed)
    if item is not None and "erased" in item:
        item = None  # what the receipt was given for is not at hand any more
    if item is None:
        steps.open("record")
    else:
        if avatar is None:
            avatar = item.get("avatar", avatar_in(item.get("signature_payload")))
        steps.add("record", is_receipt_of(receipt, kind, item, avatar))
    if proof is None:
        steps.open("logged_in_time")
        return steps, receipt
    own, shown = check_proof(proof, kind, item or {}, policy, avatar, now)
    if shown is None:
        steps.extend(own)
        return steps, receipt
    entry = None if shown[0] is None else read_entry(shown[0])
    is_same = entry is not None and all(entry[name] == receipt[name] for name in ("kind", "avatar", "uuid"))
    for name, state, where in own:
        if name != "entry":
            steps.append((name, state, where))
        elif not is_same or item is not None and state == FAILED:
            steps.add("entry", False)
        elif item is None:
            steps.open("entry")
        else:
            steps.add("entry", True)
    check_time(steps, receipt, entry, shown[3], policy, now)
    return steps, receipt


def check_time(steps, receipt, entry, checkpoint, policy, now):
    is_near = entry is not None and abs(entry["recorded_at"] - receipt["time"]) <= CLOCK_SPREAD_SECONDS
    if checkpoint.origin != receipt["log"] or not is_near:
        steps.add("logged_in_time", False)
        return
    cosigned = policy.judge(checkpoint, now)[1]
    early = {name for name, time in cosigned.items() if time <= receipt["deadline"]}
    is_seen = policy.quorum is not None and policy.is_met(early)
    if is_seen or now is not None and now <= receipt["deadline"]:
        steps.add("logged_in_time", True)
    else:
        steps.open("logged_in_time")
