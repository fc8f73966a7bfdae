"""What this verifier says of the vectors (vectors/README.md)."""

import base64
import copy
import pathlib

import archive
import chains
import exports
import holds
import key_events
import key_state
import log
import maps
import nostr
import receipts
import seen
import texts
from steps import FAILED, OPEN, Steps


def accepted(**facts):
    return {"ok": True, "reasons": [], "not_checkable": [], **facts}


def refused(reason):
    return {"ok": False, "reasons": [reason], "not_checkable": []}


def result_of(steps, **facts):
    said = {"ok": steps.is_good, "reasons": steps.named(FAILED), "not_checkable": steps.named(OPEN)}
    return {**said, **facts} if steps.is_good else said


def key(vector):
    try:
        found = texts.parse_key(vector["text"], vector.get("without_0x", False))
    except ValueError as error:
        return refused(str(error))
    spellings = {name: "0x" + found.format(name == "compressed").hex() for name in ("compressed", "uncompressed")}
    return accepted(**spellings, address=texts.address_of(found))


def payload(vector):
    fields = texts.parse_object(vector["fields_json"])
    if fields is None:
        return refused("json")
    names = ["avatar", "created_at", "identity", "platform", "prev", "uuid"]
    names.append("action" if vector["kind"] == "link" else "patch")
    signed = {"action": "kv", **{name: fields[name] for name in names}}
    text = texts.canonical(signed)
    return accepted(text=text, rewritten=texts.rewritten(signed), digest=texts.personal_digest(text).hex())


def signature(vector):
    written = vector["signature"]
    decoded = texts.decode_hex(written[2:]) if written.startswith("0x") else texts.decode_base64(written)
    if decoded is None or texts.parse_signature(decoded) is None:
        return refused("signature_form")
    if texts.recover_signer(vector["text"], decoded) != vector["avatar"]:
        return refused("signature")
    return accepted(stored=base64.b64encode(decoded).decode())


def wallet(vector):
    steps = Steps()
    chains.check_wallet(steps, vector["platform"], vector["identity"], vector["text"], vector["extra"])
    return result_of(steps)


def bip340(vector):
    message, signature_, key_ = (texts.decode_hex(vector[name]) for name in ("message", "signature", "public_key"))
    return accepted() if nostr.is_bip340_signature(message, signature_, key_) else refused("signature")


def chain(vector):
    steps, end = chains.check_chain(vector["links"], vector.get("avatar"))
    chains.open_where_empty(steps, vector["links"], vector.get("avatar"))
    return result_of(steps, avatar=end.avatar or "", bindings=[link["uuid"] for link in end.bindings.values()])


def patch_chain(vector):
    steps, avatar, entries = chains.check_patches(vector["patches"], vector.get("avatar"))
    chains.open_where_empty(steps, vector["patches"], vector.get("avatar"))
    return result_of(steps, avatar=avatar, entries=entries)


def key_chain(vector):
    events, now = vector["events"], vector["now"]
    steps, end = key_events.check_keys(events, vector.get("avatar"))
    chains.open_where_empty(steps, events, vector.get("avatar"))
    state = key_state.state_at(events if steps.is_good else [], now)
    pending = [one["event"] for one in (state.pending_commit, state.pending_succession) if one]
    shown = {
        "app_keys": [key["key"] for key in state.live_app_keys(now)],
        "recovery": state.recovery,
        "pending": pending,
        "frozen_until": state.freeze and state.freeze["due_at"],
        "is_frozen": state.is_frozen,
        "successor": state.succession and state.succession["successor"],
    }
    return result_of(steps, avatar=end.avatar or "", state=shown)


def app_patches(vector):
    signers = key_events.PatchSigners(vector["events"])
    steps, avatar, entries = chains.check_patches(vector["patches"], None, signers)
    return result_of(steps, avatar=avatar, entries=entries)


def writes_held(vector):
    return result_of(holds.check_holds(vector["events"], vector["links"], vector["patches"], vector["now"]))


def merge_patch(vector):
    merged = chains.merge_patch(texts.parse_json(vector["target_json"]), texts.parse_json(vector["patch_json"]))
    return accepted(result=texts.canonical(merged))


def evidence(vector):
    found = chains.find_evidence(vector["text"], vector["payload"], vector["avatar"])
    return refused("evidence") if found is None else accepted(signature=found)


def archived(vector):
    steps, avatar = archive.check_documents(vector["documents"])
    return result_of(steps, avatar=avatar)


def data_item(vector):
    steps = Steps()
    message = archive.check_data_item(steps, vector["item_id"], vector["data"], vector["told"])
    return result_of(steps, message=message.hex())


def log_entry(vector):
    if vector["kind"] == "bytes":
        encoded = texts.decode_base64(vector["entry_base64"])
        facts, other = {"leaf_hash": log.leaf_hash(encoded).hex()}, log.read_other_entry(encoded)
        if other:
            facts["other_kind"] = other["kind"]
        return accepted(**facts) if other or log.read_entry(encoded) else refused("entry")
    entry = log.write_entry(vector["kind"], vector["item"], vector["recorded_at"])
    record = log.record_of(vector["kind"], vector["item"])
    return accepted(entry=entry, record=record, leaf_hash=log.leaf_hash(entry.encode()).hex())


def tree(vector):
    def decode(name):
        return bytes.fromhex(vector[name])

    hashes = [bytes.fromhex(one) for one in vector["hashes"]]
    if vector["proof_of"] == "inclusion":
        is_good = log.is_included(decode("leaf_hash"), vector["index"], vector["size"], decode("root"), hashes)
    else:
        sizes = vector["size1"], vector["size2"]
        is_good = log.is_consistent(sizes[0], decode("root1"), sizes[1], decode("root2"), hashes)
    return accepted() if is_good else refused(vector["proof_of"])


def map_vector(vector):
    if vector["kind"] == "history":
        state, roots = maps.Map(), []
        for entry in vector["entries"]:
            if entry["kind"] == "map":
                roots.append(state.root().hex())
            state.apply(entry)
        return accepted(roots=roots)
    if vector["kind"] == "entry":
        read = maps.read_entry(texts.decode_base64(vector["entry_base64"]))
        return accepted(**{name: read[name] for name in ("recorded_at", "root", "size")}) if read else refused("map_entry")
    if vector["kind"] == "answer":
        steps, read = maps.check_answer(vector["answer"], vector["question"], log.Policy(vector["policy"]))
        shown = {name: read[name] for name in ("value", "holders", "holder")} if read else {}
        return result_of(steps, size=read and read["entry"] and read["entry"]["size"], **shown)
    siblings = [bytes.fromhex(one) for one in vector["siblings"]]
    end = vector["end"] and (bytes.fromhex(vector["end"]["key"]), bytes.fromhex(vector["end"]["value_hash"]))
    try:
        value = maps.proven_value(bytes.fromhex(vector["root"]), bytes.fromhex(vector["key"]), siblings, end)
    except ValueError as error:
        return refused(str(error))
    return accepted(value_hash=value and value.hex())


def verifier_key(vector):
    found = log.read_key(vector["text"])
    if found is None:
        return refused("verifier_key")
    name, key_id, kind, public_key = found
    return accepted(name=name, key_id=key_id, type=kind, public_key=public_key.hex())


def policy(vector):
    try:
        log.Policy(vector["policy"])
    except ValueError:
        return refused("policy")
    return accepted()


def checkpoint(vector):
    try:
        read = log.Checkpoint(vector["note"])
    except ValueError:
        return refused("checkpoint")
    steps = Steps()
    cosigned = log.Policy(vector["policy"]).check(steps, read, vector.get("now"))
    return result_of(steps, origin=read.origin, size=read.size, root=read.root.hex(), cosigned=cosigned)


def proof(vector):
    given = log.Policy(vector["policy"])
    about = vector["kind"], vector["item"], given, vector.get("avatar"), vector.get("now")
    steps, read = log.check_proof(vector["proof"], *about)
    return result_of(steps, index=read[1], origin=read[3].origin, size=read[3].size) if read else result_of(steps)


def receipt(vector):
    given = log.Policy(vector["policy"])
    about = [vector.get(name) for name in ("kind", "item", "avatar", "proof", "now")]
    steps, read = receipts.check_receipt(vector["receipt"], given, *about)
    return result_of(steps, **(read or {}))


def next_log(vector):
    ended = log.read_key(vector["key"])
    said = ended and receipts.read_next_log(vector["note"], ended)
    return accepted(**said) if said else refused("next_log")


def seen_statement(vector):
    try:
        statement = seen.Statement(vector["note"])
    except ValueError:
        return refused("statement")
    time = statement.seen_at(log.read_key(vector["key"]))
    return refused("seen_signature") if time is None else accepted(time=time, **statement.facts())


def observer_list(vector):
    try:
        observers = seen.Observers(vector["observers"])
    except ValueError:
        return refused("observers")
    return accepted(names=list(observers.keys), needed=observers.needed())


def quorum(vector):
    observers = seen.Observers(vector["observers"])
    return accepted(**seen.judge_seen(vector["notes"], vector["binding"], observers, vector["now"]))


def export(vector, folder):
    if "text" in vector:
        text = vector["text"]
    else:
        file = texts.parse_json((folder / vector["file"]).read_text("utf-8"))
        for change in vector["changes"]:
            file = apply_change(file, **{"from_" if name == "from" else name: value for name, value in change.items()})
        text = texts.canonical(file)
    given = log.Policy(vector["policy"]) if "policy" in vector else None
    observers = seen.Observers(vector["observers"]) if "observers" in vector else None
    return result_of(exports.check_export(text, given, vector.get("now"), observers)[0])


def apply_change(document, op, path, value=None, from_=None):
    """One operation of JSON Patch (RFC 6902)."""

    def place(pointer):
        *names, last = (name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:])
        parent = document
        for name in names:
            parent = parent[int(name) if isinstance(parent, list) else name]
        return parent, int(last) if isinstance(parent, list) else last

    if from_ is not None:
        parent, name = place(from_)
        value = copy.deepcopy(parent[name])
        if op == "move":
            del parent[name]
    parent, name = place(path)
    if op == "remove":
        del parent[name]
    elif isinstance(parent, list) and op != "replace":
        parent.insert(name, value)
    else:
        parent[name] = value
    return document


JUDGES = {
    "keys.json": key,
    "payloads.json": payload,
    "signatures.json": signature,
    "wallets.json": wallet,
    "bip340.json": bip340,
    "chains.json": chain,
    "patch-chains.json": patch_chain,
    "key-events.json": key_chain,
    "holds.json": writes_held,
    "app-patches.json": app_patches,
    "merge-patches.json": merge_patch,
    "evidence.json": evidence,
    "archive.json": archived,
    "data-items.json": data_item,
    "log-entries.json": log_entry,
    "trees.json": tree,
    "maps.json": map_vector,
    "verifier-keys.json": verifier_key,
    "policies.json": policy,
    "checkpoints.json": checkpoint,
    "proofs.json": proof,
    "receipts.json": receipt,
    "next-logs.json": next_log,
    "seen-statements.json": seen_statement,
    "observers.json": observer_list,
    "seen.json": quorum,
}


def check_folder(name):
    """The number of vectors, and a sentence for each on which this verifier says otherwise."""
    folder = pathlib.Path(name)
    count, differences = 0, []
    for file in sorted([*JUDGES, "exports.json"]):
        vectors = texts.parse_json((folder / file).read_text("utf-8"))["vectors"]
        for vector in vectors:
            count += 1
            try:
                seen = export(vector, folder) if file == "exports.json" else JUDGES[file](vector)
                seen = texts.canonical(seen)
            except Exception as error:  # pylint: disable=broad-except -- a crash is told like any difference
                seen = repr(error)
            expected = texts.canonical(vector["expected"])
            if seen != expected:
                differences.append(f"{file} {vector['id']}: expected {expected}, and saw {seen}")
    return count, differences
