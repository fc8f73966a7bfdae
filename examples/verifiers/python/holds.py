"""Whether records were made while keys had stopped the writes of their Avatar (docs/verify.md, section 15)."""

from key_state import Refused, State, accept
from log import read_entry, read_proof
from steps import FAILED, OK, OPEN, Steps

# Clocks of two records may each be wrong by five minutes.
TOLERANCE = 600
EVER = float("inf")


def held_until(state):
    """UNIX seconds until which writes are stopped, or None."""
    if state.succession or state.pending_succession:
        return EVER
    return state.freeze["due_at"] if state.freeze else None


def check_holds(events, links, patches, now):
    """Of key events that verify, oldest first, and the times of records (UNIX seconds, or None)."""
    found, steps = set(), Steps()
    for name, times in (("links", links), ("patches", patches)):
        state, first, event = State(), 0, None
        for following in [*events, None]:
            last = int(following[name]) if following else len(times)
            until = held_until(state)
            found.update(held(time, event, following, until, now) for time in times[first:last])
            if following:
                event, first, state = following, last, behind(state, following)
    if FAILED not in found and OPEN in found:
        steps.open("held")
    else:
        steps.add("held", FAILED not in found)
    return steps


def behind(state, event):
    try:
        return accept(state, event)[0]
    except Refused:
        return state


def held(time, event, following, until, now):
    """Of a record between two key events, either of which may be missing, of which the first stops writes `until`."""
    if time is not None:
        is_behind = event is None or time >= event["recorded_at"] - TOLERANCE
        is_before = following is None or time <= following["recorded_at"] + TOLERANCE
        if not (is_behind and is_before):
            return FAILED
    if until is None:
        return OK
    latest = time if time is not None else following["recorded_at"] if following else now
    if until == EVER or latest + TOLERANCE < until:
        return FAILED
    return OPEN if time is None else OK


def holds_in(file, now):
    """Of an export whose key events and proofs verify."""
    proofs = file.get("log", {}).get("proofs", {})

    def time_of(item):
        proof = read_proof(proofs[item["uuid"]]) if item["uuid"] in proofs else None
        entry = read_entry(proof[0]) if proof and proof[0] is not None else None
        return entry["recorded_at"] if entry else None

    links, patches = ([time_of(item) for item in file[name]] for name in ("links", "patches"))
    return check_holds(file["keys"], links, patches, now)
