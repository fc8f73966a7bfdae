"""JSON, encodings, hashes and signatures (docs/verify.md, sections 1 to 3 and 5). Everything here is public: nothing has
to take the same time for every input."""

import base64
import hashlib
import json
import math
import re

import coincurve

MAX_DEPTH = 256
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def parse_json(text):
    """What a JSON text says, or ValueError. Numbers are doubles."""

    def no_constant(name):
        raise ValueError(f"{name} is not JSON")

    try:
        value = json.loads(text, parse_int=float, parse_float=float, parse_constant=no_constant)
    except RecursionError:
        raise ValueError("It is nested too deep.") from None
    check_json(value)
    return value


def check_json(value):
    """ValueError for half a surrogate pair, a number that is not finite, or too deep a nesting."""
    level, depth = [value], 0
    while level:
        below = []
        for item in level:
            if isinstance(item, str):
                item.encode()  # UnicodeEncodeError, which is a ValueError
            elif isinstance(item, float) and not math.isfinite(item):
                raise ValueError("A number is out of range.")
            elif isinstance(item, dict):
                for name in item:
                    name.encode()
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        depth += any(isinstance(item, (dict, list)) for item in level)
        if depth > MAX_DEPTH:
            raise ValueError("It is nested too deep.")
        level = below


def parse_object(text):
    """The object that a JSON text holds, or None."""
    try:
        value = parse_json(text) if isinstance(text, str) and not text.startswith("\ufeff") else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def number_text(number):
    """A double as ECMAScript writes it: the shortest digits that are read as the same number."""
    if number == 0:
        return "0"
    sign, rest = ("-", repr(-number)) if number < 0 else ("", repr(number))
    mantissa, _, power = rest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))  # the place of the point in the digits
    digits = digits.rstrip("0")
    count = len(digits)
    if 0 < point <= 21:
        return sign + (digits.ljust(point, "0") if count <= point else f"{digits[:point]}.{digits[point:]}")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = f"e{point - 1:+d}"
    return sign + (digits if count == 1 else f"{digits[0]}.{digits[1:]}") + exponent


def write_json(value, order):
    if isinstance(value, dict):
        members = (f"{write_json(name, order)}:{write_json(value[name], order)}" for name in order(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(write_json(item, order) for item in value)}]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(float(value))
    return json.dumps(value, ensure_ascii=False)


def canonical(value):
    """Canonical JSON (RFC 8785)."""
    return write_json(value, canonical_order)


def rewritten(value):
    """What JavaScript makes of canonical JSON by reading and writing it."""

    def order(names):
        indices = [name for name in names if is_array_index(name)]
        return sorted(indices, key=int) + [name for name in canonical_order(names) if not is_array_index(name)]

    return write_json(value, order)


def canonical_order(names):
    return sorted(names, key=lambda name: name.encode("utf-16-be"))


def is_array_index(name):
    return re.fullmatch(r"0|[1-9][0-9]{0,9}", name) is not None and int(name) < 2**32 - 1


def decode_hex(text):
    """Bytes, or None."""
    return bytes.fromhex(text) if re.fullmatch(r"([0-9a-fA-F]{2})*", text) else None


def decode_base64(text):
    """The bytes of strict Base64, or None."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def decode_base58(text):
    """Bytes, or None."""
    number = 0
    for letter in text:
        if letter not in BASE58 or len(text) > 256:
            return None
        number = number * 58 + BASE58.index(letter)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


ROTATIONS = [[0, 36, 3, 41, 18], [1, 44, 10, 45, 2], [62, 6, 43, 15, 61], [28, 55, 25, 21, 56], [27, 20, 39, 8, 14]]
MASK = 2**64 - 1


def rotated(word, bits):
    return (word << bits | word >> (64 - bits)) & MASK


def permuted(lanes):
    """Keccak-f[1600] over lanes[x][y]."""
    register = 1
    for _ in range(24):
        parity = [column[0] ^ column[1] ^ column[2] ^ column[3] ^ column[4] for column in lanes]
        change = [parity[x - 1] ^ rotated(parity[(x + 1) % 5], 1) for x in range(5)]
        moved = [[0] * 5 for _ in range(5)]
        for x in range(5):
            for y in range(5):
                moved[y][(2 * x + 3 * y) % 5] = rotated(lanes[x][y] ^ change[x], ROTATIONS[x][y])
        lanes = [[moved[x][y] ^ (~moved[(x + 1) % 5][y] & moved[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        for power in range(7):
            if register & 1:
                lanes[0][0] ^= 1 << (2**power - 1)
            register = register << 1 ^ (0x171 if register >> 7 else 0)
    return lanes


def keccak256(message):
    """As Ethereum uses it: keccak before it became SHA-3."""
    padded = message + b"\x01" + bytes(135 - len(message) % 136)
    padded = padded[:-1] + bytes([padded[-1] | 0x80])
    lanes = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), 136):
        for lane in range(17):
            place = start + 8 * lane
            lanes[lane % 5][lane // 5] ^= int.from_bytes(padded[place : place + 8], "little")
        lanes = permuted(lanes)
    return b"".join(lanes[lane][0].to_bytes(8, "little") for lane in range(4))


def personal_digest(text):
    message = text.encode()
    return keccak256(b"\x19Ethereum Signed Message:\n%d%s" % (len(message), message))


def parse_signature(signature):
    """64 bytes of r and s and the parity of the nonce point, or None."""
    if len(signature) == 64:
        parity = signature[32] >> 7
        signature = signature[:32] + bytes([signature[32] & 0x7F]) + signature[33:]
    elif len(signature) == 65 and signature[64] in (0, 1, 27, 28):
        parity = signature[64] % 27
    else:
        return None
    scalars = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
    return (signature[:64], parity) if all(0 < scalar < ORDER for scalar in scalars) else None


def recover_signer(text, signature):
    """The compressed key that signed a text by personal_sign, as 0x and hex, or None."""
    parsed = parse_signature(signature)
    if parsed is None:
        return None
    try:
        recoverable = parsed[0] + bytes([parsed[1]])
        key = coincurve.PublicKey.from_signature_and_message(recoverable, personal_digest(text), hasher=None)
    except Exception:  # pylint: disable=broad-except -- the library raises what it likes where there is no such key
        return None
    return "0x" + key.format(compressed=True).hex()


def parse_key(text, without_0x=False):
    """A key of coincurve. ValueError says key_form or key_point."""
    digits = text[2:] if text.startswith("0x") else text if without_0x else ""
    if not re.fullmatch(r"[0-9a-fA-F]{66}|[0-9a-fA-F]{130}", digits):
        raise ValueError("key_form")
    encoded = bytes.fromhex(digits)
    if encoded[0] not in ((2, 3) if len(encoded) == 33 else (4,)):
        raise ValueError("key_point")
    try:
        return coincurve.PublicKey(encoded)
    except Exception:  # pylint: disable=broad-except -- as above
        raise ValueError("key_point") from None


def address_of(key):
    return "0x" + keccak256(key.format(compressed=False)[1:])[-20:].hex()


# Ed25519 (RFC 8032, section 5.1), in the words of its appendix.
PRIME = 2**255 - 19
GROUP = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT = pow(2, (PRIME - 1) // 4, PRIME)


def add_points(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % PRIME
    b = (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c = 2 * p[3] * q[3] * D % PRIME
    d = 2 * p[2] * q[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def multiply_point(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add_points(result, point)
        point = add_points(point, point)
        scalar >>= 1
    return result


def is_same_point(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % PRIME == 0 and (p[1] * q[2] - q[1] * p[2]) % PRIME == 0


def decode_point(encoded):
    """A point in extended coordinates, or None."""
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


BASE = decode_point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def decode_ed25519_key(encoded):
    """A point that is not of small order, or None."""
    point = decode_point(encoded)
    return None if point is None or is_same_point(multiply_point(8, point), (0, 1, 1, 0)) else point


def is_ed25519_signature(message, signature, key):
    point, nonce = decode_ed25519_key(key), decode_point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or nonce is None or len(signature) != 64 or scalar >= GROUP:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % GROUP
    return is_same_point(multiply_point(scalar, BASE), add_points(nonce, multiply_point(challenge, point)))
