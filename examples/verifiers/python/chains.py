"""Links, wallets, patches and evidence (docs/verify.md, sections 4 to 7)."""

import hashlib
import math
import re

from nostr import is_nostr_signature
from steps import OPEN, Steps
from texts import (
    address_of,
    canonical,
    decode_base58,
    decode_base64,
    decode_hex,
    is_ed25519_signature,
    parse_key,
    parse_object,
    parse_signature,
    recover_signer,
    rewritten,
)

CLOCK_SPREAD_SECONDS = 300
WALLETS = ("ethereum", "solana", "nostr")
LINK_TEXTS = ("action", "platform", "identity", "created_at", "uuid", "signature", "signature_payload")
ERASED_TEXTS = ("identity", "signature_payload")
PATCH_TEXTS = ("platform", "identity", "uuid", "signature", "signature_payload")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def avatar_in(text):
    avatar = (parse_object(text) or {}).get("avatar")
    return avatar if isinstance(avatar, str) else ""


def owner_of(item):
    return item["avatar"] if "avatar" in item else avatar_in(item["signature_payload"])


def key_of(item):
    """The key of the map (section 13) that names what a link or patch is about without its text."""
    if "erased" in item:
        return item["erased"]["identity_key"]
    text = f"signet-map/1 identity\n{item['platform']}\n{item['identity']}"
    return hashlib.sha256(text.encode()).hexdigest()


def is_empty(value):
    return value == "" or value == {}


def has_erased_shape(item, texts):
    """Whether an item that is called erased has no text left, and says of it what it has to say."""
    erased = item["erased"]
    if not isinstance(erased, dict) or not all(is_empty(item[name]) for name in texts if name in item):
        return False
    hashes = [erased.get(name) for name in ("record", "identity_key")]
    return (
        is_whole(erased.get("at"), 0)
        and isinstance(erased.get("reason"), str)
        and erased["reason"] != ""
        and all(isinstance(one, str) and re.fullmatch("[0-9a-f]{64}", one) for one in hashes)
    )


def has_link_shape(link):
    return (
        isinstance(link, dict)
        and all(isinstance(link.get(name), str) for name in LINK_TEXTS)
        and isinstance(link.get("avatar", ""), str)
        and link["action"] in ("create", "delete")
        and re.fullmatch(r"0|[1-9][0-9]{0,11}", link["created_at"]) is not None
        and ("erased" not in link or has_erased_shape(link, (*ERASED_TEXTS, "proof_location", "extra")))
    )


def has_patch_shape(item):
    return (
        isinstance(item, dict)
        and all(isinstance(item.get(name), str) for name in PATCH_TEXTS)
        and isinstance(item.get("avatar", ""), str)
        and is_number(item.get("created_at"))
        and isinstance(item.get("patch"), dict)
        and isinstance(item.get("signer", ""), str)
        and ("erased" not in item or has_erased_shape(item, (*ERASED_TEXTS, "patch")))
    )


def is_whole(value, least):
    return is_number(value) and value == math.floor(value) and least <= value <= 2**53 - 1


def chain_in(link):
    """The chain and block that the signed text of a contract wallet names, or nothing."""
    if link["action"] != "create" or link["platform"] != "ethereum":
        return {}
    signed = parse_object(link["signature_payload"]) or {}
    chain = {name: signed.get(name) for name in ("block_number", "chain_id")}
    return chain if is_whole(chain["chain_id"], 1) and is_whole(chain["block_number"], 0) else {}


def is_asked_there(chain, extra):
    extra = extra if isinstance(extra, dict) else {}
    asked, block = extra.get("chain_id"), extra.get("block_number")
    return is_whole(asked, 1) and asked == chain["chain_id"] and is_whole(block, chain["block_number"])


def is_signed_by(item, avatar):
    signature = decode_base64(item["signature"])
    return signature is not None and recover_signer(item["signature_payload"], signature) == avatar


def check_signed_text(steps, item, fields, where, is_signed, is_good=True):
    """`is_signed` tells whether the signature is good, or None where nothing can be told."""
    text = item["signature_payload"]
    signed = parse_object(text)
    if signed is None:
        steps.add("fields", False, where)
        return None
    is_same = all(canonical(signed.get(name)) == canonical(value) for name, value in fields.items())
    steps.add("fields", is_same and is_good, where)
    whole = {**fields, "prev": signed.get("prev")}
    steps.add("canonical_text", text in (canonical(whole), rewritten(whole)), where)
    is_good = is_signed(item)
    if is_good is None:
        steps.open("signature", where)
    else:
        steps.add("signature", is_good, where)
    return signed


def check_previous(steps, signed, previous, where):
    prev = signed.get("prev", False) if signed is not None else False
    steps.add("prev", prev == previous["signature"] if previous else prev is None, where)


class Chain:
    """The links of one Avatar, oldest first."""

    def __init__(self, avatar=None):
        self.avatar, self.previous, self.uuids, self.bindings, self.count = avatar, None, set(), {}, 0
        self.steps_of_bindings, self.lost = {}, set()

    def add(self, link):
        steps = Steps()
        self.count += 1
        where = f"link {self.count}"
        if not steps.add("shape", has_link_shape(link), where):
            return steps
        is_erased = "erased" in link
        if self.avatar is None and ("avatar" in link or not is_erased):
            self.avatar = owner_of(link)
        if "avatar" in link:
            steps.add("avatar", link["avatar"] == self.avatar, where)
        if is_erased:
            steps.open("erased", where)
            self.forget(link["erased"]["identity_key"], link["action"])
        else:
            self.follow(steps, link, where)
        steps.add("uuid", link["uuid"] not in self.uuids, where)
        if self.previous:
            # `prev` says which link came first, so a wrong clock forges nothing.
            if int(link["created_at"]) >= int(self.previous["created_at"]) - CLOCK_SPREAD_SECONDS:
                steps.add("time", True, where)
            else:
                steps.open("time", f"{where}: a clock was wrong when it, or the one before it, was recorded")
        self.uuids.add(link["uuid"])
        self.previous = link
        return steps

    def forget(self, key, action):
        """An erased link binds nothing, and leaves nothing bound of its identity."""
        for name in [name for name, link in self.bindings.items() if key_of(link) == key]:
            del self.bindings[name]
        if action == "create":
            self.lost.add(key)
        else:
            self.lost.discard(key)

    def follow(self, steps, link, where):
        names = ("action", "created_at", "identity", "platform", "uuid")
        chain = chain_in(link)
        fields = {"avatar": self.avatar, **chain, **{name: link[name] for name in names}}
        is_asked = not chain or is_asked_there(chain, link.get("extra"))
        signed = check_signed_text(steps, link, fields, where, lambda item: is_signed_by(item, self.avatar), is_asked)
        key = link["platform"], link["identity"]
        if link["action"] == "create":
            check_identity(steps, link, where)
        elif key_of(link) in self.lost:
            steps.open("binding", where)
        else:
            steps.add("binding", key in self.bindings, where)
        check_previous(steps, signed, self.previous, where)
        self.lost.discard(key_of(link))
        self.bindings.pop(key, None)
        if link["action"] == "create":
            self.bindings[key] = link
            self.steps_of_bindings[key] = steps


def open_where_empty(steps, records, avatar):
    """No records of an Avatar that is named show nothing: a server that hides its chain answers them, too."""
    if not records and avatar is not None:
        steps.open("all")


def check_chain(links, avatar=None):
    """The steps, and the chain at its end."""
    chain, steps = Chain(avatar), Steps()
    for link in links:
        steps.extend(chain.add(link))
    return steps, chain


def key_of_entry(at):
    return key_of({"platform": at[0], "identity": at[1]})


def check_patches(patches, avatar=None, signers=None):
    """The steps, the Avatar, and the content of each entry. `signers` knows the keys of apps (key_events.py)."""
    steps, previous, uuids, entries, lost = Steps(), None, set(), {}, set()
    for place, item in enumerate(patches):
        where = f"patch {place + 1}"
        if not steps.add("shape", has_patch_shape(item), where):
            continue
        if avatar is None and ("avatar" in item or "erased" not in item):
            avatar = owner_of(item)
        if "avatar" in item:
            steps.add("avatar", item["avatar"] == avatar, where)
        steps.add("uuid", item["uuid"] not in uuids, where)
        uuids.add(item["uuid"])
        before, previous = previous, item
        if "erased" in item:
            steps.open("erased", where)
            # What it changed or took out is not known: its entry begins anew.
            lost.add(key_of(item))
            entries.update({at: {} for at in entries if key_of_entry(at) == key_of(item)})
            continue
        names = ("created_at", "identity", "patch", "platform", "uuid")
        fields = {"action": "kv", "avatar": avatar, **{name: item[name] for name in names}}
        if "signer" in item:
            fields["signer"] = item["signer"]
        signed = check_signed_text(steps, item, fields, where, patch_check(avatar, signers, place))
        check_previous(steps, signed, before, where)
        key = item["platform"], item["identity"]
        entries[key] = merge_patch(entries.get(key, {}), item["patch"])
    contents = [{"platform": key[0], "identity": key[1], "content": content} for key, content in entries.items()]
    for entry in contents:
        if lost and key_of(entry) in lost:
            entry["incomplete"] = True
    # What may be forged adds up to nothing.
    return steps, avatar or "", [] if "signature" in steps.named(OPEN) else contents


def patch_check(avatar, signers, place):
    """How the signature of a patch is checked, in front of which so many stand."""

    def is_signed(item):
        if "signer" not in item:
            return is_signed_by(item, avatar)
        return None if signers is None else signers.is_signed(item, place)

    return is_signed


def merge_patch(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def check_identity(steps, link, where=""):
    if link["platform"] not in WALLETS:
        steps.open("post", where)
        return
    check_wallet(steps, link["platform"], link["identity"], link["signature_payload"], link.get("extra"), where)


def check_wallet(steps, platform, identity, text, extra, where=""):
    extra = extra if isinstance(extra, dict) else {}
    written = extra.get("wallet_signature")
    if not isinstance(written, str) or written == "":
        steps.add("wallet_signature", False, where)
    elif platform == "solana":
        steps.add("wallet_signature", is_solana_signature(identity, text, written, extra), where)
    elif platform == "nostr":
        steps.add("wallet_signature", is_nostr_signature(identity, text, written), where)
    else:
        signature = decode_bytes(written)
        signer = recover_signer(text, signature) if signature is not None else None
        is_wallet = signer is not None and address_of(parse_key(signer)) == identity
        may_be_contract = "chain_id" in extra and re.fullmatch("0x[0-9a-f]{40}", identity) is not None
        if may_be_contract and not is_wallet and signature is not None:
            steps.open("wallet_signature", where)
        else:
            steps.add("wallet_signature", is_wallet, where)


def decode_bytes(text):
    """Base64, or 0x and hex."""
    decoded = decode_hex(text[2:]) if text.startswith("0x") else None
    decoded = decode_base64(text) if decoded is None else decoded
    return decoded if decoded is None or len(decoded) <= 65536 else None


def is_solana_signature(identity, text, written, extra):
    readings = decode_base58(written), decode_base64(written), decode_hex(written.removeprefix("0x"))
    signature = next((reading for reading in readings if reading is not None and len(reading) == 64), None)
    key = decode_base58(identity)
    if signature is None or key is None:
        return False
    plain = text.encode()
    default = 0 if all(0x20 <= byte <= 0x7E for byte in plain) else 1
    domain, length = b"\xffsolana offchain", len(plain).to_bytes(2, "little")

    def version_0(site, form):
        return domain + b"\x00" + site + bytes([form, 1]) + key + length + plain

    def short(form):
        return domain + bytes([0, form]) + length + plain

    messages = [plain, version_0(bytes(32), default), short(default), domain + b"\x01\x01" + key + plain]
    sent = extra.get("wallet_message")
    sent = decode_bytes(sent) if isinstance(sent, str) else None
    if sent is not None:
        messages += [form for n in (0, 1, 2) for form in (version_0(sent[17:49], n), short(n)) if form == sent]
    return any(is_ed25519_signature(message, signature, key) for message in messages)


# A signature in what a person published.
INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
WORD = re.compile(f"[A-Za-z0-9_+/-][A-Za-z0-9_+/\\-{INVISIBLE}]*")
AROUND = re.compile(f"[\\s{INVISIBLE}`*~>|\"'“”‘’«»„=]*")
WEB_ADDRESS = re.compile(r"https?://[^\s\"'<>`)\]|]*", re.IGNORECASE)
LINE_END = re.compile("\r\n|[\n\r\u0085\u2028\u2029]")
MAX_TRIES = 5
MAX_LINES = 8


def lines_of(text):
    for line in LINE_END.split(text):
        matches = list(WORD.finditer(line))
        words = [re.sub("[^A-Za-z0-9_+/-]", "", match[0]) for match in matches]
        head = line[: matches[0].start()] if matches else line
        tail = line[matches[-1].end() :] if matches else line
        yield words, AROUND.fullmatch(head) is not None, AROUND.fullmatch(tail) is not None


def candidates(text):
    lines = list(lines_of(text))
    for words, _, _ in lines:
        for word in words:
            for length in (87, 86):
                for start in range(min(len(word) - length, 6) + 1 if len(word) - length <= 6 else 0):
                    if not (word[:start] + word[start + length :]).strip("_"):
                        yield word[start : start + length]
    for first, (words, _, is_bare_tail) in enumerate(lines):
        joined = words[-1] if words and is_bare_tail else ""
        for words_below, is_bare_head, is_bare in lines[first + 1 : first + MAX_LINES] if joined else []:
            if len(words_below) != 1 or not is_bare_head or not is_bare:
                break
            joined += words_below[0]
            if len(joined) in (86, 87):
                yield joined


def find_signature(text, payload, avatar):
    """The Base64 of the signature that a text holds, or None."""
    if len(text.encode()) > 65536:
        return None
    tried = []
    for word in candidates(WEB_ADDRESS.sub(".", text)):
        signature = decode_base64(word.replace("-", "+").replace("_", "/") + "=" * (-len(word) % 4))
        if signature is None or parse_signature(signature) is None or signature in tried:
            continue
        if len(tried) == MAX_TRIES:
            break
        tried.append(signature)
        if recover_signer(payload, signature) == avatar:
            return word.replace("-", "+").replace("_", "/") + "=" * (-len(word) % 4)
    return None


def find_evidence(text, payload, avatar):
    """As find_signature; the signature may stand in a member of a document, too."""
    found = find_signature(text, payload, avatar)
    if found is not None:
        return found
    bare = text.removeprefix("\ufeff")
    document = parse_object(bare) or parse_object(re.sub("[“”„‟]", '"', bare).replace("\u00a0", " ")) or {}
    member = document.get("signature")
    return find_signature(member, payload, avatar) if isinstance(member, str) else None
