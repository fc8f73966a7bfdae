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


def key_of(account):
    """The compressed public key in hex."""
    return account._key_obj.public_key.to_compressed_bytes().hex()


AVATAR_KEY = key_of(AVATAR)

# Codes of refusals that say nothing but that a value has the wrong form.
FORM_CODES = {"invalid_request", "malformed_json", "unknown_event_type"}
# Refusals of requests that the description allows, because OpenAPI cannot say what is missing.
ALLOWED_REFUSALS = {
    "recheckNow": ["Say what to recheck"],  # all_invalid=false selects nothing
    "addCheckpoint": [""],  # a text in the form of C2SP tlog-witness
    "getLogMap": ["avatar is missing"],  # an Avatar, or platform with identity
    "resolve": ["platform and identity are needed", "identity must be one name", "There is no platform"],
    "findStatements": ["Say which", "is missing"],  # an Avatar, platform with identity, or a link
    "findAccount": ["has no names beside its identities"],  # of a platform; which have them, the list of platforms says
    "hideFromPage": ["is named by platform and identity", "reason must be one line"],  # where kind is identity
    "showAgain": ["reason must be one line"],  # without characters that nobody sees
}
# Refusals of a link or patch that is signed: another one came first, or content has reached its limit.
LATE_REFUSALS = ("already_recorded", "stale_chain", "content_too_large", "avatar_content_too_large")

# The bodies that were signed, by their uuid.
signed_bodies = {}


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
    """Of an Avatar of its own: the content of one that takes all patches grows until its answers slow everything."""
    avatar = Account.create()
    key = key_of(avatar)
    entry = {"avatar": "0x" + key, "platform": "self", "identity": key, "patch": patch}
    payload = post("/v1/kv/payload", entry)
    signature = sign(avatar, payload["sign_payload"])
    return {**entry, "uuid": payload["uuid"], "created_at": payload["created_at"], "signature": signature}


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.name == "POSITIVE"


def operation_id(case):
    return case.operation.definition.raw.get("operationId")


def schema_of_body(case):
    """The named schema of the JSON body of an operation; None where it has none."""
    content = case.operation.definition.raw.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def has_null_for_absent(body, schema):
    """Whether a member that may be absent is null."""
    members = named_schema(schema)
    if not isinstance(body, dict) or members is None:
        return False
    required = members.get("required", [])
    return any(
        (value is None and name not in required) or has_null_for_absent(value, members["properties"][name])
        for name, value in body.items()
        if name in members["properties"]
    )


def named_schema(schema):
    """The schema that `schema` names, if it is one of an object with members."""
    text = json.dumps(schema)
    names = [name for name in SCHEMAS if f'"#/components/schemas/{name}"' in text]
    found = SCHEMAS[names[0]] if names else {}
    return found if "properties" in found else None


with urllib.request.urlopen(BASE_URL + "/openapi.json") as answer:
    SCHEMAS = json.load(answer)["components"]["schemas"]


def is_sent_empty(value):
    """Whether a query holds the value as an empty text; of an object its keys are sent."""
    return value == "" or (isinstance(value, (list, dict)) and all(part in ("", None) for part in value))


@schemathesis.hook
def filter_case(context, case):
    """What is taken beyond the description: nulls and empty parameters that count as absent."""
    # docs/design/decisions.md 4; the description does not say so because generated types would be clumsy.
    has_null = has_null_for_absent(case.body, schema_of_body(case))
    # `?page=` is page 1 and `?exact=` false, because existing clients send them so; OpenAPI cannot say so.
    has_empty = any(is_sent_empty((case.query or {}).get(name)) for name in ("page", "exact"))
    return not has_null and not has_empty


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every second right submit is one that succeeds, and every second right lookup one of a binding that exists."""
    if not is_positive(case):
        return
    before_call.count = getattr(before_call, "count", 0) + 1
    if before_call.count % 2:
        return
    name = operation_id(case)
    if name == "submitProof":
        case.body = signed_link()
    elif name == "submitKvPatch" and isinstance(case.body, dict):
        try:
            case.body = signed_patch({"generated": case.body.get("patch")})
        except urllib.error.HTTPError:
            return  # free JSON beyond the limits, which a description cannot state: refused by step 1 already
    elif name in ("getBinding", "getEvidence", "listChecks"):
        case.query = {"platform": "ethereum", "identity": WALLET.address, "public_key": "0x" + AVATAR_KEY}
        return
    else:
        return
    signed_bodies[case.body["uuid"]] = case.body


@schemathesis.check
def is_not_refused_for_its_form(context, response, case):
    """What the description allows may be refused for what it means, never for its form."""
    if not is_positive(case) or response.status_code != 400:
        return
    body = response.json()
    if body["code"] not in FORM_CODES:
        return
    if any(text in body["message"] for text in ALLOWED_REFUSALS.get(operation_id(case), [])):
        return
    raise AssertionError(f"refused for its form: {body}")


@schemathesis.check
def submits_succeed(context, response, case):
    """A link or patch that is signed is recorded."""
    is_signed = isinstance(case.body, dict) and signed_bodies.get(str(case.body.get("uuid"))) == case.body
    if is_signed and response.status_code != 201 and response.json()["code"] not in LATE_REFUSALS:
        raise AssertionError(f"a signed submit was refused: {response.text}")
