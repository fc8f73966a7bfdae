"""What keys of Nostr sign (docs/verify.md, section 5): NIP-01, NIP-19 and BIP-340."""

import hashlib
import re

import coincurve
from texts import ORDER, decode_base64, decode_hex, parse_object

KIND = 26743
NPUB = re.compile("npub1[02-9ac-hj-np-z]{58}")
TIME = re.compile("0|[1-9][0-9]{0,11}")
LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
ESCAPES = str.maketrans(
    {"\n": "\\n", '"': '\\"', "\\": "\\\\", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


def checksum(values):
    """BIP-173; 1 where the last six values are the checksum of those before."""
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for bit, number in enumerate(GENERATOR):
            if top >> bit & 1:
                state ^= number
    return state


def decode_npub(text):
    """The 32 bytes of a key, or None."""
    if not NPUB.fullmatch(text):
        return None
    values = [LETTERS.index(letter) for letter in text[5:]]
    prefix = [ord(letter) for letter in "npub"]
    if checksum([code >> 5 for code in prefix] + [0] + [code & 31 for code in prefix] + values) != 1:
        return None
    number = 0
    for value in values[:-6]:
        number = number << 5 | value
    # 52 letters of five bits are 32 bytes and four bits, which are zero.
    return None if number & 15 else (number >> 4).to_bytes(32, "big")


def is_bip340_signature(message, signature, key):
    """Of a message of any length. The library reads messages of 32 bytes alone, so the equation stands here."""
    if len(signature) != 64 or len(key) != 32:
        return False
    try:
        point = coincurve.PublicKey(b"\x02" + key)
        nonce = coincurve.PublicKey(b"\x02" + signature[:32])
        tag = hashlib.sha256(b"BIP0340/challenge").digest()
        challenge = hashlib.sha256(tag + tag + signature[:32] + key + message).digest()
        # sG = R + eP, where a scalar that is not between 0 and the order raises.
        return coincurve.PrivateKey(signature[32:]).public_key == coincurve.PublicKey.combine_keys(
            [nonce, point.multiply(reduced(challenge))]
        )
    except Exception:  # pylint: disable=broad-except -- the library raises what it likes where there is no such point
        return False


def reduced(scalar):
    return (int.from_bytes(scalar, "big") % ORDER).to_bytes(32, "big")


def is_nostr_signature(identity, text, written):
    readings = decode_base64(written), decode_hex(written.removeprefix("0x"))
    signature = next((reading for reading in readings if reading is not None and len(reading) == 64), None)
    key, time = decode_npub(identity), (parse_object(text) or {}).get("created_at")
    if signature is None or key is None or not isinstance(time, str) or not TIME.fullmatch(time):
        return False
    event = f'[0,"{key.hex()}",{time},{KIND},[],"{text.translate(ESCAPES)}"]'
    return is_bip340_signature(hashlib.sha256(event.encode()).digest(), signature, key)
