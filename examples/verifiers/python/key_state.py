"""The table of key events: whether the rules take one, and what follows (docs/keys.md). Times are UNIX seconds."""

from dataclasses import dataclass, field, replace

HOUR = 3600
DAY = 24 * HOUR
REST = 30 * DAY
USUAL_DELAY = 72
# Of events and of those in a day, some are kept for each place above the one of who signs.
EVENTS, IN_A_DAY, KEPT_EVENTS, KEPT_IN_A_DAY = 1000, 30, 20, 2
# These only end what another event began, and count for no limit.
ENDING = "key.veto", "key.thaw", "key.revoke"
LIVE_APP_KEYS, LIFETIME, MOST_RECOVERY_KEYS = 32, 730 * DAY, 5
# The main key and the highest committed key together, above all others.
BOTH = -1


class Refused(Exception):
    """The rules do not take an event."""


@dataclass(frozen=True)
class State:
    """What holds for the keys of an Avatar. Events that do something later have event, signer, due_at and fields."""

    committed: dict = None
    pending_commit: dict = None
    pending_succession: dict = None
    freeze: dict = None
    succession: dict = None
    resting: dict = field(default_factory=dict)
    main_freeze_from: float = 0
    # Times of the events that count for the limits.
    counted: tuple = ()
    app_keys: dict = field(default_factory=dict)

    @property
    def recovery(self):
        return self.committed["recovery"] if self.committed else []

    @property
    def is_frozen(self):
        return self.freeze is not None or self.pending_succession is not None

    def rank(self, signer):
        """0 is the highest key. A key that is committed no more counts as the lowest recovery key."""
        if signer == "main":
            return len(self.recovery)
        return self.recovery.index(signer) if signer in self.recovery else max(0, len(self.recovery) - 1)

    def settled(self, now):
        """As it is at a time that is not before the last event."""
        if self.succession:
            return self
        if self.pending_succession and self.pending_succession["due_at"] <= now:
            return self.succeeded(self.pending_succession)
        state = self
        if self.pending_commit and self.pending_commit["due_at"] <= now:
            state = replace(state, committed=committed_by(self.pending_commit), pending_commit=None)
        if self.freeze and self.freeze["due_at"] <= now:
            state = replace(state, freeze=None)
        return state

    def succeeded(self, by):
        state, commit = self, self.pending_commit
        if commit and commit["due_at"] <= by["due_at"]:
            state = replace(state, committed=committed_by(commit))
        succession = {**by["fields"], "event": by["event"], "at": by["due_at"]}
        nothing = {"pending_commit": None, "pending_succession": None, "freeze": None}
        return replace(state, **nothing, succession=succession)

    def without_lower(self, rank):
        """Without what keys below this rank have pending."""

        def kept(pending):
            return pending if pending and self.rank(pending["signer"]) <= rank else None

        return replace(
            self, pending_commit=kept(self.pending_commit), pending_succession=kept(self.pending_succession)
        )

    def with_rest(self, signer, at):
        return replace(self, resting={**self.resting, signer: at + REST})

    def with_counted(self, event):
        """With an event among those that count, if it does."""
        if event["action"] in ENDING:
            return self
        return replace(self, counted=(*self.counted, event["recorded_at"]))

    def live_app_keys(self, at):
        return [key for key in self.app_keys.values() if key["revoked"] is None and at < key["expires_at"]]

    def problem_of_write(self, key, platform, identity, at):
        """Why a key of an app may not sign a patch; None if it may."""
        known = self.app_keys.get(key)
        if self.succession:
            return "avatar_succeeded"
        if known is None:
            return "key_unknown"
        if known["revoked"] is not None:
            return "key_revoked"
        if known["expires_at"] <= at:
            return "key_expired"
        is_in_scope = "kv" in known["scopes"] or f"kv:{platform}:{identity}" in known["scopes"]
        return None if is_in_scope else "key_out_of_scope"


def committed_by(commit):
    return {**commit["fields"], "event": commit["event"]}


def demand(is_good, reason):
    if not is_good:
        raise Refused(reason)


def demand_room(state, event):
    """A lower key cannot use up the events that are kept for the places above it."""
    if event["action"] in ENDING:
        return
    signer, at = event["signer"], event["recorded_at"]
    is_both = event["cosigner"] is not None and event["action"] != "key.add"
    above = 0 if is_both else 1 + (MOST_RECOVERY_KEYS if signer == "main" else state.rank(signer))
    today = [time for time in state.counted if time > at - DAY]
    demand(len(state.counted) < EVENTS - above * KEPT_EVENTS, "too_many_key_events")
    demand(len(today) < IN_A_DAY - above * KEPT_IN_A_DAY, "too_many_key_events_today")


def accept(before, event):
    """The state behind an event, and when it is due. Raises Refused."""
    at = event["recorded_at"]
    state = before.settled(at)
    demand(not state.succession, "avatar_succeeded")
    if event["action"] in ("key.add", "key.revoke"):
        return accept_app(state, event).with_counted(event), at
    signer, cosigner, action = event["signer"], event["cosigner"], event["action"]
    demand(signer == "main" or signer in state.recovery, "key_not_committed")
    is_both = signer == "main" and state.recovery[:1] == [cosigner] and action in ("key.commit", "key.succeed")
    demand(cosigner is None or is_both, "wrong_cosigner")
    rank = state.rank(signer) if cosigner is None else BOTH
    TESTS[action](state, event, rank)
    demand_room(state, event)
    is_first = action == "key.commit" and event["links"] == 0 and state.committed is None
    is_at_once = rank == BOTH or is_first
    due = due_at(state, event, is_at_once)
    behind = EFFECTS[action](state, event, rank, due, is_at_once).settled(at)
    return behind.with_counted(event), due


def due_at(state, event, is_at_once):
    at, action = event["recorded_at"], event["action"]
    if action == "key.freeze":
        return at + (7 if event["signer"] == "main" else 30) * DAY
    if is_at_once or action not in ("key.commit", "key.succeed"):
        return at
    return at + (state.committed["delay_hours"] if state.committed else USUAL_DELAY) * HOUR


def test_new(state, rank, pending):
    demand(not pending or state.rank(pending["signer"]) > rank, "already_pending")
    begun = [state.freeze, state.pending_succession]
    demand(not any(one and state.rank(one["signer"]) < rank for one in begun), "key_outranked")


def test_rest(state, event, rank):
    demand(rank == BOTH or event["recorded_at"] >= state.resting.get(event["signer"], 0), "key_rests")


def test_commit(state, event, rank):
    demand(event["signer"] == "main", "only_main_key")
    test_new(state, rank, state.pending_commit)


def test_succeed(state, event, rank):
    test_rest(state, event, rank)
    test_new(state, rank, state.pending_succession)


def test_freeze(state, event, rank):
    demand(not state.freeze or state.rank(state.freeze["signer"]) > rank, "already_frozen")
    demand(event["signer"] != "main" or event["recorded_at"] >= state.main_freeze_from, "key_rests")
    test_rest(state, event, rank)
    test_new(state, rank, None)


def test_thaw(state, _event, rank):
    demand(state.freeze, "not_frozen")
    demand(rank <= state.rank(state.freeze["signer"]), "key_too_low")


def pending_of(state, uuid):
    both = state.pending_commit, state.pending_succession
    return next((one for one in both if one and one["event"] == uuid), None)


def test_veto(state, event, rank):
    pending = pending_of(state, event["fields"]["event"])
    demand(pending, "not_pending")
    is_other_holder = event["signer"] == "main" and state.committed is None
    demand(is_other_holder or rank < state.rank(pending["signer"]), "key_too_low")


def begun_by(event, due):
    return {"event": event["uuid"], "signer": event["signer"], "due_at": due, "fields": event["fields"]}


def commit(state, event, rank, due, is_at_once):
    if not is_at_once:
        return replace(state, pending_commit=begun_by(event, due))
    committed = committed_by(begun_by(event, due))
    return replace(state.without_lower(rank), pending_commit=None, committed=committed)


def succeed(state, event, rank, due, is_at_once):
    kept, by = state.without_lower(rank), begun_by(event, due)
    return kept.succeeded(by) if is_at_once else replace(kept, pending_succession=by)


def freeze(state, event, rank, due, _is_at_once):
    rests_until = due + REST if event["signer"] == "main" else state.main_freeze_from
    return replace(state.without_lower(rank), freeze=begun_by(event, due), main_freeze_from=rests_until)


def thaw(state, event, rank, _due, _is_at_once):
    by = state.freeze["signer"]
    is_stopped = rank < state.rank(by) or event["signer"] == "main"
    return replace(state.with_rest(by, event["recorded_at"]) if is_stopped else state, freeze=None)


def veto(state, event, _rank, _due, _is_at_once):
    pending = pending_of(state, event["fields"]["event"])
    rested = state.with_rest(pending["signer"], event["recorded_at"])
    return replace(rested, **{"pending_commit" if pending is state.pending_commit else "pending_succession": None})


TESTS = {
    "key.commit": test_commit,
    "key.succeed": test_succeed,
    "key.freeze": test_freeze,
    "key.thaw": test_thaw,
    "key.veto": test_veto,
}
EFFECTS = {"key.commit": commit, "key.succeed": succeed, "key.freeze": freeze, "key.thaw": thaw, "key.veto": veto}


def accept_app(state, event):
    """The state behind a `key.add` or a `key.revoke`."""
    fields, at, signer = event["fields"], event["recorded_at"], event["signer"]
    key = fields["key"]
    known = state.app_keys.get(key)
    if event["action"] == "key.revoke":
        demand(event["cosigner"] is None, "wrong_cosigner")
        demand(signer in ("main", key) or signer in state.recovery, "key_not_committed")
        demand(known is None or known["revoked"] is None, "key_revoked")
        demand(known is not None, "key_unknown")
        return replace(state, app_keys={**state.app_keys, key: {**known, "revoked": event["uuid"]}})
    demand(signer == "main", "only_main_key")
    demand(event["cosigner"] == key, "wrong_cosigner")
    demand(known is None or known["revoked"] is None, "key_revoked")
    demand(not state.is_frozen, "avatar_frozen")
    demand(fields["expires_at"] > at, "key_expired")
    demand(fields["expires_at"] <= at + LIFETIME, "expiry_too_late")
    others = [one for one in state.live_app_keys(at) if one["key"] != key]
    demand(len(others) < LIVE_APP_KEYS, "too_many_app_keys")
    demand_room(state, event)
    return replace(state, app_keys={**state.app_keys, key: {**fields, "event": event["uuid"], "revoked": None}})


def state_at(events, now):
    """The state at a time, of events that verify, oldest first; later ones do not count."""
    state = State()
    for event in events:
        if event["recorded_at"] > now:
            break
        try:
            state, _ = accept(state, event)
        except Refused:
            continue
    return state.settled(now)
