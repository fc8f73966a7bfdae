"""Keys of apps: what they are called, and whether one of them signed a text (docs/keys.md, "Keys of apps")."""

import base64
import hashlib
import re
import unicodedata

from texts import canonical, decode_base64, is_ed25519_signature, parse_object, recover_signer

APP_KEY = re.compile("(?:secp256k1|es256):0x0[23][0-9a-f]{64}|ed25519:0x[0-9a-f]{64}")
LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN = re.compile(
    rf"https://(?=[^:]{{1,253}}(?::|\Z))(?:{LABEL}\.)+{LABEL}(?::(?!443\Z)[1-9][0-9]{{0,4}})?"
    r"|http://localhost(?::(?!80\Z)[1-9][0-9]{0,4})?"
)
MAX_SIGNATURE = 4096
# The origin of a key whose `key.add` is not at hand.
UNKNOWN = object()


def is_app_key(value):
    return isinstance(value, str) and APP_KEY.fullmatch(value) is not None


def is_origin(value):
    return isinstance(value, str) and ORIGIN.fullmatch(value) is not None


def is_scope(value):
    if value == "kv":
        return True
    parts = re.fullmatch(r"kv:[a-z0-9][a-z0-9_.-]{0,63}:(.{1,256})", value, re.DOTALL) if isinstance(value, str) else None
    return parts is not None and all(unicodedata.category(letter) not in ("Cc", "Cs") for letter in parts[1])


def is_app_signature(text, key, signature, origin):
    """Whether a key of an app signed this text. `origin` is that of its `key.add`, None for none, or UNKNOWN."""
    is_short = isinstance(signature, str) and len(signature) <= MAX_SIGNATURE
    decoded = decode_base64(signature) if is_short else None
    if decoded is None or not is_app_key(key):
        return False
    algorithm, _, name = key.partition(":")
    point = bytes.fromhex(name[2:])
    if algorithm == "secp256k1":
        return recover_signer(text, decoded) == name
    if algorithm == "ed25519":
        return is_ed25519_signature(text.encode(), decoded, point)
    assertion = read_assertion(decoded)
    if assertion is not None:
        return is_assertion(*assertion, hashlib.sha256(text.encode()).digest(), origin, point)
    return len(decoded) == 64 and is_p256_signature(text.encode(), decoded[:32], decoded[32:], point)


# The assertion of a passkey (Web Authentication Level 3, section 7.2).
MEMBERS = ["authenticatorData", "clientDataJSON", "signature"]
USER_PRESENT, USER_VERIFIED, MAY_BE_COPIED, IS_COPIED, HAS_KEY, HAS_MORE = 1, 4, 8, 16, 64, 128


def read_assertion(encoded):
    """Data of the authenticator, what the browser says, and the signature; None for other bytes."""
    try:
        text = encoded.decode()
    except UnicodeDecodeError:
        return None
    said = parse_object(text)
    if said is None or sorted(said) != MEMBERS or canonical(said) != text:
        return None
    parts = [decode_url(said[name]) for name in MEMBERS]
    return None if None in parts else parts


def decode_url(text):
    """The bytes of Base64url without padding, or None."""
    if not isinstance(text, str) or not re.fullmatch("[A-Za-z0-9_-]*", text):
        return None
    decoded = decode_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    return decoded


def is_assertion(data, client_data, signature, challenge, origin, point):
    try:
        client = parse_object(client_data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        client = None
    if client is None or client.get("type") != "webauthn.get":
        return False
    if client.get("challenge") != base64.urlsafe_b64encode(challenge).decode().rstrip("="):
        return False
    page = client.get("origin")
    if origin is None or not isinstance(page, str) or origin is not UNKNOWN and page != origin:
        return False
    if client.get("crossOrigin") not in (None, False) or "topOrigin" in client:
        return False
    scalars = read_der(signature)
    signed = data + hashlib.sha256(client_data).digest()
    return has_right_data(data, page) and scalars is not None and is_p256_signature(signed, *scalars, point)


def has_right_data(data, page):
    if len(data) < 37:
        return False
    flags = data[32]
    if flags & HAS_KEY or (len(data) > 37) != bool(flags & HAS_MORE):
        return False
    if not flags & USER_PRESENT or not flags & USER_VERIFIED or flags & IS_COPIED and not flags & MAY_BE_COPIED:
        return False
    host = re.match("https?://([^/:]+)", page)
    labels = host[1].split(".")[:127] if host else [""]
    hosts = [host[1] if host else ""] + [".".join(labels[place:]) for place in range(1, len(labels) - 1)]
    return any(hashlib.sha256(one.encode()).digest() == data[:32] for one in hosts)


def read_der(encoded):
    """The bytes of r and s of strict DER (X.690, section 10), or None."""
    if len(encoded) < 2 or encoded[0] != 0x30 or encoded[1] > 0x7F or encoded[1] != len(encoded) - 2:
        return None
    rest, scalars = encoded[2:], []
    for _ in range(2):
        if len(rest) < 3 or rest[0] != 2 or not 0 < rest[1] <= len(rest) - 2:
            return None
        scalar, rest = rest[2 : 2 + rest[1]], rest[2 + rest[1] :]
        if scalar[0] & 0x80 or len(scalar) > 1 and scalar[0] == 0 and not scalar[1] & 0x80:
            return None
        scalars.append(scalar)
    return None if rest else scalars


# ECDSA on P-256 (FIPS 186-5) with SHA-256. A high s is accepted.
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    """The sum of two affine points; None is the point at infinity."""
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0]:
        if (p[1] + q[1]) % FIELD == 0:
            return None
        slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, FIELD)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, FIELD)
    x = (slope * slope - p[0] - q[0]) % FIELD
    return x, (slope * (p[0] - x) - p[1]) % FIELD


def multiply(scalar, point):
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def decode_p256(encoded):
    """The point of a compressed key, or None."""
    x = int.from_bytes(encoded[1:], "big")
    square = (x * x * x - 3 * x + B) % FIELD
    y = pow(square, (FIELD + 1) // 4, FIELD)
    if x >= FIELD or y * y % FIELD != square:
        return None
    return x, y if y & 1 == encoded[0] & 1 else FIELD - y


def is_p256_signature(message, r, s, key):
    point, r, s = decode_p256(key), int.from_bytes(r, "big"), int.from_bytes(s, "big")
    if point is None or not 0 < r < ORDER or not 0 < s < ORDER:
        return False
    digest, inverse = int.from_bytes(hashlib.sha256(message).digest(), "big"), pow(s, -1, ORDER)
    nonce = add(multiply(digest * inverse % ORDER, BASE), multiply(r * inverse % ORDER, point))
    return nonce is not None and nonce[0] % ORDER == r
