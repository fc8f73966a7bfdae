"""Archived documents and their data items (docs/verify.md, section 9)."""

import base64
import hashlib

from chains import Chain
from steps import Steps
from texts import canonical, parse_object

MEMBERS = (
    "action avatar created_at identity platform previous_archive_id previous_uuid proof_location signature "
    "signature_payload uuid"
).split()
KEY_BYTES = 512


def check_documents(documents):
    """The steps, and the Avatar of the first document."""
    steps, chain, before = Steps(), Chain(), {"uuid": "", "id": ""}
    for document in documents:
        members = parse_object(document["text"])
        if steps.add("document", is_document(members, document["text"])):
            steps.extend(chain.add(members))
            steps.add("previous_uuid", members["previous_uuid"] == before["uuid"])
            steps.add("previous_archive_id", members["previous_archive_id"] == before["id"])
            before = {"uuid": members["uuid"], "id": document["id"]}
        check_data_item(steps, document["id"], document["text"], document["told"])
    return steps, chain.avatar or ""


def is_document(members, text):
    names = sorted(set(members or {}) - {"erased"})
    if names != sorted([*MEMBERS, "extra"]) or not isinstance(members["extra"], dict):
        return False
    return all(isinstance(members[name], str) for name in MEMBERS) and canonical(members) == text


def decode_url(text):
    """The bytes of base64url; none for anything else."""
    if not isinstance(text, str):
        return b""
    try:
        decoded = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""
    return decoded


def check_data_item(steps, item_id, data, told):
    """Answers the message that is signed, where the signature behind the id is known."""
    told = told if isinstance(told, dict) else {}
    signature = decode_url(told.get("signature"))
    named = base64.urlsafe_b64encode(hashlib.sha256(signature).digest()).decode().rstrip("=")
    if not signature or named != item_id:
        steps.open("data_item")
        return None
    owner = told["owner"].get("key") if isinstance(told.get("owner"), dict) else None
    owner, target, anchor = (decode_url(part) for part in (owner, told.get("recipient"), told.get("anchor")))
    tags = encode_tags(told.get("tags"))
    message = deep_hash([b"dataitem", b"1", b"1", owner, target, anchor, tags, data.encode()])
    has_length = len(owner) == KEY_BYTES and len(signature) == KEY_BYTES
    steps.add("data_item", has_length and is_rsa_pss_signature(message, signature, owner))
    return message


def encode_tags(tags):
    """The bytes of the tags; none for anything else."""
    is_list = isinstance(tags, list) and all(isinstance(tag, dict) for tag in tags)
    if not is_list or not tags or not all(isinstance(tag.get(name), str) for tag in tags for name in ("name", "value")):
        return b""
    fields = [tag[name].encode() for tag in tags for name in ("name", "value")]
    return avro_long(len(tags)) + b"".join(avro_long(len(field)) + field for field in fields) + avro_long(0)


def avro_long(value):
    encoded, rest = b"", value * 2
    while rest > 0x7F:
        encoded, rest = encoded + bytes([rest & 0x7F | 0x80]), rest >> 7
    return encoded + bytes([rest])


def deep_hash(parts):
    def tagged(tag):
        return hashlib.sha384(tag).digest()

    result = tagged(b"list%d" % len(parts))
    for part in parts:
        of_part = tagged(tagged(b"blob%d" % len(part)) + tagged(part))
        result = tagged(result + of_part)
    return result


def is_rsa_pss_signature(message, signature, modulus):
    """RSASSA-PSS-VERIFY (RFC 8017, 8.1.2) with SHA-256 and MGF1, exponent 65537, and the salts of wallets."""
    n, s = int.from_bytes(modulus, "big"), int.from_bytes(signature, "big")
    if s >= n or n.bit_length() != 8 * KEY_BYTES:
        return False
    encoded = pow(s, 65537, n).to_bytes(KEY_BYTES, "big")
    masked, digest = encoded[:-33], encoded[-33:-1]
    mask = b"".join(hashlib.sha256(digest + count.to_bytes(4, "big")).digest() for count in range(15))
    block = bytes(a ^ b for a, b in zip(masked, mask))
    block = bytes([block[0] & 0x7F]) + block[1:]
    padding, one, salt = block.partition(b"\x01")
    hashed = hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + salt).digest()
    is_padded = one and not any(padding) and masked[0] < 0x80 and encoded[-1] == 0xBC
    return bool(is_padded) and len(salt) in (478, 32, 0) and hashed == digest
