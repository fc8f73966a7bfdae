"""What other servers saw: statements, observers and quorums (docs/verify.md, section 14)."""

import hashlib
import re
from datetime import datetime, timezone

from log import MAX_SIZE, SEEN_KEY, Note, lines_of, read_key
from texts import is_ed25519_signature

FORMS = {
    "link": "[0-9a-f]{64}",
    "platform": "[a-z0-9][a-z0-9_.-]{0,63}",
    "identity": ".+",
    "account": "[\x21-\x7e]{1,128}",
    "seen": "yes|no",
}
WEEK_SECONDS = 7 * 24 * 3600
FUTURE_SECONDS = 300
LOOKS_PER_KEY = 20
MAX_LIST = 64 * 1024
WALLETS = ("ethereum", "solana", "nostr")


def link_hash(payload):
    return hashlib.sha256(payload.encode()).hexdigest()


class Statement(Note):
    """A statement. ValueError where it cannot be read."""

    def __init__(self, text):
        super().__init__(text)
        first, *lines = self.text[:-1].split("\n")
        parts = [line.partition(" ") for line in lines]
        values = {name: value for name, _, value in parts}
        is_form = first == "signet-seen/1" and [name for name, _, _ in parts] == list(FORMS)
        if not is_form or not all(re.fullmatch(form, values[name], re.DOTALL) for name, form in FORMS.items()):
            raise ValueError("It is not a statement.")
        if len(values["identity"].encode()) > 1024:
            raise ValueError("Its identity is too long.")
        self.link, self.platform, self.identity = values["link"], values["platform"], values["identity"]
        self.account = None if values["account"] == "-" else values["account"]
        self.seen = values["seen"] == "yes"

    def seen_at(self, key):
        """When the observer with this key looked, UNIX seconds, or None."""
        time = self.claimed(key)
        if time is None:
            return None
        message = f"signet-seen/v1\ntime {time}\n{self.text}".encode()
        return time if is_ed25519_signature(message, self.signature_of(key)[8:], key[3]) else None

    def claimed(self, key):
        """The time in the line of this key, unverified, or None."""
        signature = self.signature_of(key)
        if key[2] != SEEN_KEY or signature is None or len(signature) != 72:
            return None
        time = int.from_bytes(signature[:8], "big")
        return time if time <= MAX_SIZE else None

    def facts(self):
        return {name: getattr(self, name) for name in FORMS}


class Observers:
    """Whom to believe. ValueError where the text is not a list of observers."""

    def __init__(self, text):
        self.keys, self.quorum, known = {}, None, set()
        lines = lines_of(text)
        has_controls = any(re.search("[\x00-\x08\x0b-\x1f\x7f]", line) for line in lines)
        if has_controls or len(text.encode("utf-16-le")) // 2 > MAX_LIST:
            raise ValueError("It is too long, or holds control characters.")
        for line in lines:
            words = [word for word in re.split("[ \t]+", line) if word]
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "quorum" and len(words) == 2 and self.quorum is None:
                if not re.fullmatch("[1-9][0-9]{0,3}", words[1]):
                    raise ValueError("A quorum is a number.")
                self.quorum = int(words[1])
            elif words[0] == "observer" and len(words) in (3, 4):
                key = read_key(words[2])
                if key is None or key[2] != SEEN_KEY or key[3] in known:
                    raise ValueError(f"This is not a key of an observer, or stands twice: {words[2]}")
                known.add(key[3])
                self.keys.setdefault(words[1], []).append(key)
            else:
                raise ValueError(f"This is not a line of a list of observers: {line}")
        if self.quorum is not None and self.quorum > len(self.keys):
            raise ValueError("The quorum is above the number of observers.")

    def needed(self):
        """How many have to agree, or None where nothing is claimed."""
        count = len(self.keys)
        if self.quorum is not None:
            return self.quorum
        return None if count < 2 else count - (1 if count < 6 else 2)


def view_of(looks, now):
    """The state of one observer, its statement and its time; looks are pairs of a time and a statement."""
    if not looks:
        return "no_statement", None, None
    time = max(one for one, _ in looks)
    newest = [statement for one, statement in looks if one == time]
    if any(other.text != newest[0].text for other in newest):
        state = "contradictory"
    elif time > now + FUTURE_SECONDS:
        state = "from_the_future"
    elif time < now - WEEK_SECONDS:
        state = "too_old"
    else:
        state = "seen" if newest[0].seen else "not_seen"
    return state, newest[0], time


def looks_with(key, read):
    """The looks of a key as pairs of a time and a statement: of its different lines the newest are verified."""
    claims = {}
    for statement in read:
        time = statement.claimed(key)
        if time is not None:
            claims.setdefault((statement.text, statement.signature_of(key)), (time, statement))
    newest = sorted(claims.values(), key=lambda one: -one[0])[:LOOKS_PER_KEY]
    return [(time, statement) for time, statement in newest if statement.seen_at(key) is not None]


def judge_seen(notes, binding, observers, now):
    """What the observers say together of a binding: link, platform, identity and perhaps account."""
    read = []
    for text in notes:
        try:
            statement = Statement(text if isinstance(text, str) else "")
        except ValueError:
            continue
        if all(getattr(statement, name) == binding[name] for name in ("link", "platform", "identity")):
            read.append(statement)
    views = {}
    for operator, keys in observers.keys.items():
        views[operator] = view_of([look for key in keys for look in looks_with(key, read)], now)
    if "account" in binding:
        account = binding["account"]
    else:
        accounts = [statement.account for state, statement, _ in views.values() if state == "seen"]
        ranked = sorted(set(accounts), key=lambda one: (-accounts.count(one), one or ""))
        account = ranked[0] if ranked else None
    states, others = {}, []
    for operator, (state, statement, _) in views.items():
        if state == "seen" and statement.account != account:
            state = "other_account"
            others.append(statement.text)
        states[operator] = state
    yes, no = ([name for name, state in states.items() if state == wanted] for wanted in ("seen", "not_seen"))
    needed = observers.needed()
    rival = max([others.count(one) for one in others], default=0)

    def wins(own, other):
        return needed is not None and len(own) >= needed and len(own) > max(len(other), rival)

    is_gone = wins(no, yes)
    result = "seen" if wins(yes, no) else "not_seen" if is_gone else "no_quorum"
    counted = no if is_gone else yes
    return {
        "result": "no_claim" if needed is None else result,
        "count": len(counted),
        "of": len(states),
        "needed": needed,
        "last_at": max((views[name][2] for name in counted), default=None),
        "account": account if counted is yes and yes else None,
        "states": states,
    }


def check_export_seen(steps, file, observers=None):
    """The step `seen` for each binding that is not a wallet and that the server called valid."""
    notes = file.get("seen", [])
    is_list = isinstance(notes, list) and all(isinstance(note, str) for note in notes)
    if not is_list or not re.fullmatch("[0-9]{1,11}", file["exported_at"]):
        steps.add("seen", False)
        return
    for binding in file["bindings"]:
        if not binding["is_valid"] or binding["platform"] in WALLETS:
            continue
        names = ("platform", "identity", "created_at")
        links = [link for link in file["links"] if isinstance(link, dict)]
        own = [link for link in links if all(link.get(name) == binding[name] for name in names)]
        payload = own[-1].get("signature_payload") if own else None
        about = {"link": link_hash(payload if isinstance(payload, str) else "")}
        about.update(platform=binding["platform"], identity=binding["identity"])
        if binding["evidence"] is not None and binding["evidence"]["account_id"] != "":
            about["account"] = binding["evidence"]["account_id"]
        verdict = judge_seen(notes, about, observers or Observers(""), int(file["exported_at"]))
        where = f"{binding['platform']} {binding['identity']}: {verdict['count']} of {verdict['of']} observers"
        if verdict["last_at"] is not None:
            where += f", last at {datetime.fromtimestamp(verdict['last_at'], timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
        if verdict["result"] in ("seen", "not_seen"):
            steps.add("seen", verdict["result"] == "seen", where)
        else:
            steps.open("seen", where)
