"""Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.

    openapi-generator-cli generate -c openapi-generator.yaml -i http://localhost:3000/openapi.json
    pip install eth-account ./client
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

import signet_api
import urllib3
from eth_account import Account
from eth_account.messages import encode_defunct

SIGNET = os.environ.get("SIGNET", "http://localhost:3000")
CURSOR = pathlib.Path(os.environ.get("CURSOR", "cursor"))
TRIES = 3

client = signet_api.ApiClient(signet_api.Configuration(host=SIGNET, retries=False))
proofs = signet_api.ProofsApi(client)
content = signet_api.KeyValueApi(client)
chains = signet_api.ProofChainApi(client)
platforms = signet_api.PlatformsApi(client)


def refusal_of(error):
    """What the server answered: `code` is for programs, `message` for people. A newer server may have more codes."""
    return json.loads(error.body)


def sign(account, text):
    """personal_sign over the text as it came, in Base64."""
    signed = account.sign_message(encode_defunct(text=text))
    return base64.b64encode(bytes(signed.signature)).decode()


def again_when_stale(step):
    """Another program may write for the same Avatar: then what was signed does not follow its chain any more."""
    for tries_left in reversed(range(TRIES)):
        try:
            return step()
        except signet_api.ApiException as error:
            if refusal_of(error)["code"] != "stale_chain" or tries_left == 0:
                raise


def bind(key, avatar, wallet):
    link = {"action": "create", "platform": "ethereum", "identity": wallet.address, "public_key": key}
    payload = proofs.create_payload(signet_api.PayloadRequest(**link))
    text = payload.sign_payload
    extra = signet_api.SubmitExtra(signature=sign(avatar, text), wallet_signature=sign(wallet, text))
    signed = signet_api.SubmitRequest(**link, uuid=payload.uuid, created_at=payload.created_at, extra=extra)
    proofs.submit_proof(signed)


def write(key, avatar, patch):
    entry = {"avatar": key, "platform": platforms.list_platforms().service_name, "identity": key, "patch": patch}
    payload = content.create_kv_payload(signet_api.KvPayloadRequest(**entry))
    signature = sign(avatar, payload.sign_payload)
    proof = {"uuid": payload.uuid, "created_at": payload.created_at, "signature": signature}
    content.submit_kv_patch(signet_api.KvSubmitRequest(**entry, **proof))


def follow():
    """Every link that was recorded since the last call, once."""
    cursor = int(CURSOR.read_text()) if CURSOR.exists() else 0
    while links := chains.list_changes(last_id=cursor, count=100).links:
        yield from links
        cursor = links[-1].id
        CURSOR.write_text(str(cursor))


def main():
    avatar = Account.from_key(os.environ.get("AVATAR_SECRET") or secrets.token_hex(32))
    wallet = Account.from_key(os.environ.get("WALLET_SECRET") or secrets.token_hex(32))
    key = os.environ.get("AVATAR") or "0x" + avatar._key_obj.public_key.to_compressed_bytes().hex()

    again_when_stale(lambda: bind(key, avatar, wallet))
    found = proofs.find_proofs([wallet.address], platform="ethereum", exact=True)
    print(f"{wallet.address.lower()} belongs to {found.ids[0].avatar}")

    again_when_stale(lambda: write(key, avatar, {"name": "Alice", "language": "Python"}))
    stored = content.get_kv(key).proofs[0].content
    print(f"content {json.dumps(stored, sort_keys=True, separators=(',', ':'))}")

    print(f"links {sum(1 for _ in follow())}, then {sum(1 for _ in follow())}")


if __name__ == "__main__":
    try:
        main()
    except signet_api.ApiException as error:
        refusal = refusal_of(error)
        sys.exit(f"The server refused: {refusal['message']} ({refusal['code']})")
    except urllib3.exceptions.HTTPError as error:
        sys.exit(f"{SIGNET} cannot be reached: {error}")
    except ValueError as error:
        sys.exit(f"A key or answer cannot be read: {error}")
