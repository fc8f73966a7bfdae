"""Key events: who signed them, their chain, and which keys of apps may sign patches (docs/verify.md, section 15)."""

import hashlib
import re

from app_keys import UNKNOWN, is_app_key, is_app_signature, is_origin, is_scope
from chains import avatar_in, check_previous, is_whole
from key_state import Refused, State, accept
from steps import Steps
from texts import address_of, canonical, decode_base64, parse_key, parse_object, recover_signer, rewritten

TEXTS = ("action", "uuid", "signer", "signature", "signature_payload")
NUMBERS = ("created_at", "recorded_at", "due_at", "links", "patches")
FIELDS = {
    "key.commit": ["delay_hours", "recovery"],
    "key.freeze": [],
    "key.thaw": [],
    "key.succeed": ["since_link", "since_patch", "successor"],
    "key.veto": ["event"],
    "key.add": ["expires_at", "key", "origin", "scopes"],
    "key.revoke": ["key"],
}
RECOVERY_KEY = re.compile("key:[0-9a-f]{64}|eip155:0x[0-9a-f]{40}")
UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
COMPRESSED = re.compile("0x0[23][0-9a-f]{64}")


def fits(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_list_of(value, most, is_item):
    """Whether a value is a list of 1 to `most` such texts, each once."""
    is_list = isinstance(value, list) and 1 <= len(value) <= most and all(is_item(item) for item in value)
    return is_list and len(set(value)) == len(value)


def is_recovery_key(value):
    return fits(RECOVERY_KEY, value)


def has_fields(action, fields):
    if action not in FIELDS or not isinstance(fields, dict) or sorted(fields) != FIELDS[action]:
        return False
    if action == "key.commit":
        hours = fields["delay_hours"]
        return is_list_of(fields["recovery"], 5, is_recovery_key) and is_whole(hours, 24) and hours <= 168
    if action == "key.succeed":
        since = fields["since_link"], fields["since_patch"]
        return all(one is None or fits(UUID, one) for one in since) and fits(COMPRESSED, fields["successor"])
    if action == "key.veto":
        return fits(UUID, fields["event"])
    if action == "key.revoke":
        return is_app_key(fields["key"])
    if action == "key.add":
        has_origin = fields["origin"] is None or is_origin(fields["origin"])
        is_good = is_app_key(fields["key"]) and has_origin and is_whole(fields["expires_at"], 0)
        is_list = is_list_of(fields["scopes"], 16, is_scope)
        return is_good and is_list and len("".join(fields["scopes"]).encode()) <= 1200
    return True


def has_shape(item):
    if not isinstance(item, dict) or not all(isinstance(item.get(name), str) for name in TEXTS):
        return False
    if not all(is_whole(item.get(name), 0) for name in NUMBERS) or not isinstance(item.get("avatar", ""), str):
        return False
    signer, cosigner, cosignature = item["signer"], item.get("cosigner", False), item.get("cosignature", False)
    is_named = is_recovery_key(cosigner) or is_app_key(cosigner)
    if not (is_named and isinstance(cosignature, str)) and not (cosigner is None and cosignature is None):
        return False
    successor = item.get("successor_signature", False)
    has_successor = isinstance(successor, str) if item["action"] == "key.succeed" else successor is None
    is_signer = signer == "main" or is_recovery_key(signer) or is_app_key(signer)
    return is_signer and has_successor and has_fields(item["action"], item.get("fields"))


def recovery_names(key):
    """The two names under which a key, compressed, can be committed."""
    return "key:" + hashlib.sha256(bytes.fromhex(key[2:])).hexdigest(), "eip155:" + address_of(parse_key(key))


def signer_of(text, signature):
    decoded = decode_base64(signature)
    return None if decoded is None else recover_signer(text, decoded)


class KeyChain:
    """The key events of one Avatar, oldest first."""

    def __init__(self, avatar=None):
        self.avatar, self.previous, self.uuids, self.state = avatar, None, set(), State()

    def add(self, item, where=""):
        steps = Steps()
        if not steps.add("shape", has_shape(item), where):
            return steps
        text = item["signature_payload"]
        if self.avatar is None:
            self.avatar = item["avatar"] if "avatar" in item else avatar_in(text)
        if "avatar" in item:
            steps.add("avatar", item["avatar"] == self.avatar, where)
        signed = self.check_text(steps, item, where)
        self.check_signers(steps, item, where)
        check_previous(steps, signed, self.previous, where)
        steps.add("uuid", item["uuid"] not in self.uuids, where)
        self.uuids.add(item["uuid"])
        before = self.previous
        names = ("recorded_at", "links", "patches")
        steps.add("time", before is None or all(item[name] >= before[name] for name in names), where)
        self.previous = item
        if steps.is_good:
            self.follow(steps, item, where)
        return steps

    def check_text(self, steps, item, where):
        text = item["signature_payload"]
        signed = parse_object(text)
        if signed is None:
            steps.add("fields", False, where)
            return None
        said = {name: item[name] for name in ("action", "created_at", "uuid")}
        whole = {**item["fields"], **said, "avatar": self.avatar}
        steps.add("fields", all(canonical(signed.get(name)) == canonical(whole[name]) for name in whole), where)
        whole["prev"] = signed.get("prev")
        steps.add("canonical_text", text in (canonical(whole), rewritten(whole)), where)
        return signed

    def check_signers(self, steps, item, where):
        text, fields = item["signature_payload"], item["fields"]
        origin = fields["origin"] if item["action"] == "key.add" else UNKNOWN

        def is_by(name, signature):
            if is_app_key(name):
                return is_app_signature(text, name, signature, origin)
            key = signer_of(text, signature)
            return key is not None and (key == self.avatar if name == "main" else name in recovery_names(key))

        steps.add("signature", is_by(item["signer"], item["signature"]), where)
        if item["cosigner"] is not None:
            steps.add("cosignature", is_by(item["cosigner"], item["cosignature"]), where)
        if item["action"] == "key.succeed":
            is_good = signer_of(text, item["successor_signature"]) == fields["successor"]
            steps.add("successor_signature", is_good, where)

    def follow(self, steps, item, where):
        """What the table says, of an event that is sound."""
        state = self.state.settled(item["recorded_at"])
        try:
            self.demand_names(state, item)
            self.state, due = accept(state, item)
        except Refused:
            steps.add("rules", False, where)
            return
        steps.add("rules", True, where)
        steps.add("due", item["due_at"] == due, where)

    def demand_names(self, state, item):
        text, signer, fields = item["signature_payload"], item["signer"], item["fields"]
        if is_app_key(signer):
            known = state.app_keys.get(signer)
            origin = known["origin"] if known else UNKNOWN
            is_named = is_app_signature(text, signer, item["signature"], origin)
        else:
            key = signer_of(text, item["signature"])
            names = [name for name in state.recovery if name in recovery_names(key)]
            is_named = signer == ("main" if key == self.avatar else names[0] if names else None)
        if not is_named or fields.get("successor") == self.avatar:
            raise Refused("names")
        if item["action"] == "key.commit":
            points = [point_of(key) for key in state.app_keys]
            banned = [self.avatar, *(point for point in points if point)]
            if any(name in fields["recovery"] for point in banned for name in recovery_names(point)):
                raise Refused("own_recovery_key")
        point = point_of(fields["key"]) if item["action"] == "key.add" else None
        if point is not None:
            pending = state.pending_commit["fields"]["recovery"] if state.pending_commit else []
            is_taken = any(name in [*state.recovery, *pending] for name in names_of(point))
            if point == self.avatar or is_taken:
                raise Refused("own_app_key")


def point_of(key):
    """The key of an app, compressed, where it is one of secp256k1."""
    return key.removeprefix("secp256k1:") if key.startswith("secp256k1:") else None


def names_of(point):
    """As `recovery_names`, of what may be no point."""
    try:
        return recovery_names(point)
    except ValueError:
        return ()


def check_keys(events, avatar=None):
    """The steps, and the chain at its end."""
    chain, steps = KeyChain(avatar), Steps()
    for place, event in enumerate(events, 1):
        steps.extend(chain.add(event, f"key event {place}"))
    return steps, chain


class PatchSigners:
    """Which keys of apps may sign patches, by all key events of an Avatar, oldest first."""

    def __init__(self, events, avatar=None):
        chain, self.behind, self.is_sound = KeyChain(avatar), [(-1, 0, State())], True
        for event in events:
            self.is_sound = self.is_sound and chain.add(event).is_good
            if self.is_sound:
                self.behind.append((event["patches"], event["recorded_at"], chain.state))

    def is_signed(self, patch, before):
        """Whether a key that was allowed to do so signed a patch, in front of which so many stand in the chain."""
        if not self.is_sound:
            return False
        _, at, state = [one for one in self.behind if one[0] <= before][-1]
        state = state.settled(max(patch["created_at"], at))
        key = patch["signer"]
        if state.problem_of_write(key, patch["platform"], patch["identity"], patch["created_at"]):
            return False
        origin = state.app_keys[key]["origin"]
        return is_app_signature(patch["signature_payload"], key, patch["signature"], origin)
