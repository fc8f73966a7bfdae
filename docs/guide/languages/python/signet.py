"""Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.

    pip install eth-account
    SIGNET=http://localhost:3000 python3 signet.py

AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for
(by default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
"""

import base64
import json
import os
import pathlib
import secrets
import sys
import urllib.error
import urllib.parse
import urllib.request

from eth_account import Account
from eth_account.messages import encode_defunct

SIGNET = os.environ.get("SIGNET", "http://localhost:3000")
CURSOR = pathlib.Path(os.environ.get("CURSOR", "cursor"))
TRIES = 3


class Refused(Exception):
    """What the server answered: `code` is for programs, the message for people."""

    def __init__(self, answer):
        super().__init__(f"{answer['message']} ({answer['code']})")
        self.code = answer["code"]


def call(path, body=None, **query):
    url = f"{SIGNET}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise Refused(json.load(error)) from None


def sign(account, text):
    """personal_sign over the text as it came, in Base64."""
    signed = account.sign_message(encode_defunct(text=text))
    return base64.b64encode(bytes(signed.signature)).decode()


def again_when_stale(step):
    """Another program may write for the same Avatar: then what was signed does not follow its chain any more."""
    for tries_left in reversed(range(TRIES)):
        try:
            return step()
        except Refused as refusal:
            if refusal.code != "stale_chain" or tries_left == 0:
                raise


def bind(key, avatar, wallet):
    link = {"action": "create", "platform": "ethereum", "identity": wallet.address, "public_key": key}
    payload = call("/v1/proof/payload", link)
    text = payload["sign_payload"]
    extra = {"signature": sign(avatar, text), "wallet_signature": sign(wallet, text)}
    call("/v1/proof", {**link, "uuid": payload["uuid"], "created_at": payload["created_at"], "extra": extra})


def write(key, avatar, patch):
    entry = {"avatar": key, "platform": call("/v1/platforms")["service_name"], "identity": key, "patch": patch}
    payload = call("/v1/kv/payload", entry)
    signature = sign(avatar, payload["sign_payload"])
    proof = {"uuid": payload["uuid"], "created_at": payload["created_at"], "signature": signature}
    return call("/v1/kv", {**entry, **proof})


def follow():
    """Every link that was recorded since the last call, once."""
    cursor = int(CURSOR.read_text()) if CURSOR.exists() else 0
    while links := call("/v1/proofchain/changes", last_id=cursor, count=100)["links"]:
        yield from links
        cursor = links[-1]["id"]
        CURSOR.write_text(str(cursor))


def main():
    avatar = Account.from_key(os.environ.get("AVATAR_SECRET") or secrets.token_hex(32))
    wallet = Account.from_key(os.environ.get("WALLET_SECRET") or secrets.token_hex(32))
    key = os.environ.get("AVATAR") or "0x" + avatar._key_obj.public_key.to_compressed_bytes().hex()

    again_when_stale(lambda: bind(key, avatar, wallet))
    found = call("/v1/proof", platform="ethereum", identity=wallet.address, exact="true")
    print(f"{wallet.address.lower()} belongs to {found['ids'][0]['avatar']}")

    again_when_stale(lambda: write(key, avatar, {"name": "Alice", "language": "Python"}))
    content = call("/v1/kv", avatar=key)["proofs"][0]["content"]
    print(f"content {json.dumps(content, sort_keys=True, separators=(',', ':'))}")

    print(f"links {sum(1 for _ in follow())}, then {sum(1 for _ in follow())}")


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"The server refused: {refusal}")
    except urllib.error.URLError as error:
        sys.exit(f"{SIGNET} cannot be reached: {error.reason}")
    except ValueError as error:
        sys.exit(f"A key or answer cannot be read: {error}")
