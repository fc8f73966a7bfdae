"""Exports (docs/verify.md, section 8)."""

from chains import check_chain, check_patches, find_evidence
from key_events import PatchSigners, check_keys
from log import check_export_log
from seen import check_export_seen
from steps import OPEN, Steps
from texts import parse_key, parse_object

LISTS = ("links", "patches", "keys")
MEMBERS = {"format", "version", "exported_at", "server", "avatar", "bindings", "log", "seen", *LISTS}
BINDING_TEXTS = ("platform", "identity", "created_at", "last_checked_at", "invalid_reason")
EVIDENCE_TEXTS = ("url", "seen_at", "sha256", "account_id", "matched_text")


def has_texts(value, names):
    return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in names)


def is_binding(binding):
    return (
        has_texts(binding, BINDING_TEXTS)
        and isinstance(binding.get("is_valid"), bool)
        and "evidence" in binding
        and (binding["evidence"] is None or has_texts(binding["evidence"], EVIDENCE_TEXTS))
    )


def is_key(text):
    try:
        parse_key(text)
    except ValueError:
        return False
    return True


def is_export(file):
    return (
        has_texts(file, ("format", "exported_at", "server", "avatar"))
        and file["format"] == "signet-export"
        and is_key(file["avatar"])
        and isinstance(file.get("version"), float)
        and file["version"] == 1
        and all(isinstance(file.get(name), list) for name in ("links", "patches", "bindings"))
        and isinstance(file.get("keys", []), list)
        and all(is_binding(binding) for binding in file["bindings"])
    )


def check_export(text, policy=None, now=None, observers=None):
    """The steps, and the file where it has the form of one."""
    steps = Steps()
    file = parse_object(text.removeprefix("\ufeff"))
    if not steps.add("file", file is not None and is_export(file)):
        return steps, None
    steps.add("content", any(file.get(name) for name in LISTS))
    chain_steps, chain = check_chain(file["links"], file["avatar"])
    # Programs before 0.3.0 write no list of key events, so that nothing is known of keys of apps.
    signers = PatchSigners(file["keys"], file["avatar"]) if "keys" in file else None
    patch_steps, _, _ = check_patches(file["patches"], file["avatar"], signers)
    key_steps, _ = check_keys(file.get("keys", []), file["avatar"])
    steps.extend(chain_steps)
    steps.extend(patch_steps)
    steps.extend(key_steps)
    for binding in file["bindings"]:
        check_binding(steps, binding, chain)
    said = {(binding["platform"], binding["identity"]) for binding in file["bindings"]}
    steps.add("bindings", said.issuperset(chain.bindings))
    # What platforms have signed is checked by packages/verify alone (sections 16 and 17).
    for binding in file["bindings"]:
        if any((binding["evidence"] or {}).get(name) is not None for name in ("proof", "gone_proof")):
            steps.open("platform_proof", f"{binding['platform']} {binding['identity']}")
    if not MEMBERS.issuperset(file):
        steps.open("members")
    steps.extend(check_export_log(file, policy, now))
    if observers is not None or "seen" in file:
        check_export_seen(steps, file, observers)
    return steps, file


def check_binding(steps, binding, chain):
    where = f"{binding['platform']} {binding['identity']}"
    link = chain.bindings.get((binding["platform"], binding["identity"]))
    is_bound = link is not None and link["created_at"] == binding["created_at"]
    steps.add("binding", is_bound, where)
    if not is_bound:
        return
    own = chain.steps_of_bindings[binding["platform"], binding["identity"]]
    if own.is_good and set(own.named(OPEN)) - {"post", "time"}:
        steps.open("link", where)
    else:
        steps.add("link", own.is_good, where)
    if binding["evidence"] is None:
        return
    text = binding["evidence"]["matched_text"]
    if text == "":
        steps.open("evidence", where)
    else:
        found = find_evidence(text, link["signature_payload"], chain.avatar)
        steps.add("evidence", found is not None, where)
