"""Hooks of schemathesis: what a generator of requests cannot know of Signet, and each exception with its reason."""

import base64
import json
import os
import urllib.error
import urllib.request

import schemathesis
from eth_account import Account
from eth_account.messages import encode_defunct

BASE_URL = os.environ["SIGNET"]
AVATAR = Account.from_key("0x" + "11" * 32)
WALLET = Account.from_key("0x" + "22" * 32)
AVATAR_KEY = AVATAR._key_obj.public_key.to_compressed_bytes().hex()

# Codes of refusals that say nothing but that a value has the wrong form.
FORM_CODES = {"invalid_request", "malformed_json", "unknown_event_type"}
# Refusals of requests that the description allows, because OpenAPI cannot say what is missing.
ALLOWED_REFUSALS = {
    "getProofChain": "public_key is missing",  # one of two names of a parameter is required
    "listChanges": "last_id is missing",  # the same
    "recheckNow": "Say what to recheck",  # all_invalid=false selects nothing
    "getBadge": "ends in .svg",  # the end of a part of a path
}


def post(path, body):
    request = urllib.request.Request(
        BASE_URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def sign(account, text):
    return base64.b64encode(bytes(account.sign_message(encode_defunct(text=text)).signature)).decode()


def signed_link():
    link = {
        "action": "create",
        "platform": "ethereum",
        "identity": WALLET.address,
        "public_key": "0x" + AVATAR_KEY,
    }
    payload = post("/v1/proof/payload", link)
    text = payload["sign_payload"]
    extra = {"signature": sign(AVATAR, text), "wallet_signature": sign(WALLET, text)}
    return {**link, "uuid": payload["uuid"], "created_at": payload["created_at"], "extra": extra}


def signed_patch(patch):
    entry = {"avatar": "0x" + AVATAR_KEY, "platform": "self", "identity": AVATAR_KEY, "patch": patch}
    payload = post("/v1/kv/payload", entry)
    signature = sign(AVATAR, payload["sign_payload"])
    return {**entry, "uuid": payload["uuid"], "created_at": payload["created_at"], "signature": signature}


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.name == "POSITIVE"


def operation_id(case):
    return case.operation.definition.raw.get("operationId")


def has_null_member(body):
    return isinstance(body, dict) and any(
        value is None or (name == "extra" and has_null_member(value)) for name, value in body.items()
    )


@schemathesis.hook
def filter_body(context, body):
    """A member that is null counts as absent (docs/design/decisions.md 4), which would make generated types clumsy."""
    return not has_null_member(body)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every second right submit is one that succeeds: of a link that is signed, of the generated patch that is signed."""
    if not is_positive(case) or not isinstance(case.body, dict):
        return
    name = operation_id(case)
    before_call.count = getattr(before_call, "count", 0) + 1
    if before_call.count % 2:
        return
    if name == "submitProof":
        case.body = signed_link()
    elif name == "submitKvPatch":
        try:
            case.body = signed_patch({"generated": case.body.get("patch")})
        except urllib.error.HTTPError:
            pass  # free JSON beyond the limits, which a description cannot state: refused by step 1 already


@schemathesis.check
def is_not_refused_for_its_form(context, response, case):
    """What the description allows may be refused for what it means, never for its form."""
    if not is_positive(case) or response.status_code != 400:
        return
    body = response.json()
    if body["code"] not in FORM_CODES:
        return
    allowed = ALLOWED_REFUSALS.get(operation_id(case))
    if allowed is not None and allowed in body["message"]:
        return
    raise AssertionError(f"refused for its form: {body}")


@schemathesis.check
def submits_succeed(context, response, case):
    """A link or patch that is signed is recorded."""
    if operation_id(case) not in ("submitProof", "submitKvPatch") or not isinstance(case.body, dict):
        return
    is_ours = (case.body.get("public_key") or case.body.get("avatar")) == "0x" + AVATAR_KEY
    if is_ours and response.status_code != 201 and response.json()["code"] not in ("stale_chain", "content_too_large"):
        raise AssertionError(f"a signed submit was refused: {response.text}")
