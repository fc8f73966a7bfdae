/** One code of an error answer, `{ message, code }` (docs/design/decisions.md 4). */
export interface ErrorCode {
  code: string;
  /** HTTP status that it comes with. */
  status: number;
  /** The meaning of the code for programs, in Markdown. */
  meaning: string;
}

/**
 * Every code that an answer of the service can carry, by subject. The source of docs/reference/errors.md
 * (`npm run reference`); a test compares it with what the sources throw.
 */
export const ERROR_CODES: Record<string, ErrorCode[]> = {
  Requests: [
    {
      code: 'invalid_request',
      status: 400,
      meaning: 'A field or parameter is missing, of the wrong type or out of bounds. The message names it.',
    },
    { code: 'malformed_json', status: 400, meaning: 'The body is not JSON in UTF-8.' },
    {
      code: 'unstorable_text',
      status: 400,
      meaning: 'Text holds U+0000 or half of a surrogate pair, which the database cannot store.',
    },
    {
      code: 'number_out_of_range',
      status: 400,
      meaning: 'A number is larger than a JSON number (IEEE double) can be.',
    },
    { code: 'nesting_too_deep', status: 400, meaning: 'A JSON value is nested too deeply. The message has the limit.' },
    {
      code: 'too_many_values',
      status: 400,
      meaning: 'The body holds more values or members than a patch of the largest size can have.',
    },
    { code: 'not_found', status: 404, meaning: 'There is no such path.' },
    {
      code: 'method_not_allowed',
      status: 405,
      meaning: 'The path is there, but not for this method. The header `Allow` lists those that it has.',
    },
    { code: 'request_timeout', status: 408, meaning: 'The request did not arrive in time.' },
    { code: 'body_too_large', status: 413, meaning: 'The body is larger than 1 MiB.' },
    { code: 'uri_too_long', status: 414, meaning: 'The query is longer than the server reads.' },
    { code: 'headers_too_large', status: 431, meaning: 'The headers are larger than the server reads.' },
    {
      code: 'too_many_requests',
      status: 429,
      meaning: 'A rate limit was reached. `Retry-After` says in how many seconds to try again.',
    },
  ],
  'Proofs and payloads': [
    {
      code: 'invalid_public_key',
      status: 400,
      meaning: 'Not a key of 33 or 65 bytes in hex, or not a point on secp256k1.',
    },
    { code: 'unknown_platform', status: 400, meaning: 'There is no such platform. `GET /v1/platforms` lists them.' },
    {
      code: 'unknown_chain',
      status: 400,
      meaning: 'This server has no endpoint for that chain, so it cannot ask contract wallets there.',
    },
    { code: 'invalid_identity', status: 400, meaning: 'The platform could not have an account of this name.' },
    {
      code: 'missing_proof_location',
      status: 400,
      meaning: 'This platform needs the location of the post in `proof_location`.',
    },
    { code: 'invalid_proof_location', status: 400, meaning: '`proof_location` cannot be a post on this platform.' },
    {
      code: 'payload_mismatch',
      status: 400,
      meaning: '`uuid`, `created_at` or another field differs from what the payload step issued.',
    },
    {
      code: 'not_restored',
      status: 400,
      meaning: 'No recorded link of this identity has the uuid and the signature of this post.',
    },
    { code: 'too_many_subkeys', status: 400, meaning: 'The Avatar has as many subkeys as it may.' },
    { code: 'payload_expired', status: 400, meaning: 'The payload is too old. Ask for a new one and sign that.' },
    {
      code: 'stale_chain',
      status: 400,
      meaning: 'Another link or patch was recorded since this payload was issued. Ask for a new one and sign that.',
    },
    {
      code: 'already_recorded',
      status: 400,
      meaning: 'This very payload was submitted before and is recorded; there is nothing left to do.',
    },
    {
      code: 'invalid_signature',
      status: 400,
      meaning: 'A signature is missing, malformed, or made by another key or over another text.',
    },
    {
      code: 'chain_required',
      status: 400,
      meaning:
        'It is a contract wallet, and the signed text names no chain. The message says which chain to ask for in `extra.chain_id` of the payload step.',
    },
    {
      code: 'proof_rejected',
      status: 400,
      meaning: 'The platform was asked and does not confirm the claim. The message says what was seen.',
    },
    {
      code: 'platform_unavailable',
      status: 400,
      meaning: 'The platform could not be asked. Try again; `Retry-After` is set when the platform named a time.',
    },
    {
      code: 'platform_not_configured',
      status: 400,
      meaning: 'The operator of this server has not set up this platform. The message says what is missing.',
    },
    { code: 'binding_not_found', status: 400, meaning: 'A delete of a binding that this Avatar does not hold.' },
    {
      code: 'too_many_bindings',
      status: 400,
      meaning: 'The Avatar holds as many live bindings as this server allows.',
    },
    {
      code: 'page_too_deep',
      status: 400,
      meaning:
        'A page of an ambiguous lookup beyond the fiftieth, or one for which too many bindings would have to be looked at. Give more of the identity, ask for fewer at a time, `exact=true`, or look up by key.',
    },
    { code: 'avatar_not_found', status: 404, meaning: 'No link of this Avatar is recorded.' },
    { code: 'identity_not_found', status: 404, meaning: 'The Avatar is known, but holds no binding of this identity.' },
    { code: 'evidence_not_found', status: 404, meaning: 'The binding has no stored evidence.' },
  ],
  'Key-value': [
    { code: 'kv_not_found', status: 404, meaning: 'No key-value content was ever written for this Avatar.' },
    {
      code: 'not_bound',
      status: 400,
      meaning: '`KV_WRITE_POLICY=bound`, and the Avatar holds no valid proof of this identity.',
    },
    { code: 'patch_too_large', status: 400, meaning: 'The patch is too large. The message has limit and size.' },
    { code: 'content_too_large', status: 400, meaning: 'The content of the entry would become too large.' },
    {
      code: 'avatar_content_too_large',
      status: 400,
      meaning: 'All content of the Avatar together would become too large.',
    },
    { code: 'too_many_entries', status: 400, meaning: 'The Avatar has as many entries as this server allows.' },
  ],
  'Transparency log': [
    {
      code: 'not_yet_logged',
      status: 404,
      meaning: 'The record waits for the next tree head of the log. Ask again after `Retry-After` seconds.',
    },
    {
      code: 'log_catching_up',
      status: 503,
      meaning:
        'The log has signed no tree head yet: after the first start on an old database it takes in what was recorded before. Ask again after `Retry-After` seconds.',
    },
    {
      code: 'map_catching_up',
      status: 503,
      meaning:
        'No tree head of the log commits to its map yet: after an upgrade the map is computed from the entries that are there. Ask again after `Retry-After` seconds.',
    },
    {
      code: 'record_erased',
      status: 404,
      meaning: 'The text of this record was erased for legal reasons, so that no receipt of it can be signed any more.',
    },
    { code: 'record_not_found', status: 404, meaning: 'No link and no patch has this uuid or this number.' },
    {
      code: 'not_cosigned',
      status: 404,
      meaning:
        'No checkpoint has the cosignatures that the policy of the log asks for yet, or it has no policy that asks for any.',
    },
    { code: 'tile_not_found', status: 404, meaning: 'The log has no such tile or bundle of this width.' },
    {
      code: 'log_refused',
      status: 503,
      meaning: 'The database contradicts what this server has shown of the log; its operator has to act.',
    },
  ],
  Witness: [
    {
      code: 'unknown_log',
      status: 404,
      meaning: 'This witness does not watch such a log, or has signed nothing of it.',
    },
    {
      code: 'unknown_log_key',
      status: 403,
      meaning:
        'No key that this witness knows for the log signed the checkpoint, or a signature of such a key does not verify.',
    },
    {
      code: 'inconsistent_checkpoint',
      status: 422,
      meaning:
        'The checkpoint is not shown to continue the one that was signed last: the proof does not verify, or the size is the same and the root another one.',
    },
  ],
  Events: [
    { code: 'unknown_event_type', status: 400, meaning: 'A filter names an event type that does not exist.' },
    {
      code: 'event_unknown',
      status: 400,
      meaning: '`Last-Event-ID` lies ahead of the stream: the database was restored from an older backup.',
    },
    {
      code: 'event_pruned',
      status: 400,
      meaning: '`Last-Event-ID` lies before the oldest event that is still kept. The message has the oldest.',
    },
  ],
  'Server state': [
    {
      code: 'internal_error',
      status: 500,
      meaning: 'A bug of the service. The request id in the answer is in the log of the server.',
    },
    {
      code: 'database_unavailable',
      status: 503,
      meaning: 'The database cannot be reached. Try again after `Retry-After` seconds.',
    },
    {
      code: 'database_slow',
      status: 503,
      meaning: 'The database took too long. Try again after `Retry-After` seconds.',
    },
    {
      code: 'upgrade_under_way',
      status: 503,
      meaning:
        'What was asked for needs an index that is still built after an upgrade. Ask again after `Retry-After` seconds; all else works.',
    },
    {
      code: 'storage_full',
      status: 503,
      meaning: 'The database has no room to write; reads still work. The operator has to act.',
    },
    {
      code: 'overloaded',
      status: 503,
      meaning: 'The server has too much to do. Try again after `Retry-After` seconds.',
    },
    { code: 'unavailable', status: 503, meaning: 'The server cannot answer right now. Try again.' },
    {
      code: 'version_too_old',
      status: 503,
      meaning:
        'Of `/readyz`: the database was upgraded, and servers of this version may not use it any more. The message names the versions.',
    },
    {
      code: 'migrations_pending',
      status: 503,
      meaning: 'Only from `/readyz`: the database lacks migrations of this build.',
    },
    { code: 'stopping', status: 503, meaning: 'Only from `/readyz`: the server is shutting down.' },
  ],
  Administration: [
    { code: 'unauthorized', status: 401, meaning: 'The admin token is missing or wrong.' },
    { code: 'not_rechecked', status: 400, meaning: 'Proofs of this platform are not rechecked.' },
    { code: 'invalid_webhook_url', status: 400, meaning: 'Webhooks may not go to this address.' },
    {
      code: 'configured_subscription',
      status: 400,
      meaning: 'This subscription comes from the setting `WEBHOOKS` and is changed there.',
    },
    { code: 'too_many_subscriptions', status: 400, meaning: 'There are as many subscriptions as this server allows.' },
    { code: 'event_failed_again', status: 400, meaning: 'A parked event was replayed, and its listener failed again.' },
    { code: 'subscription_not_found', status: 404, meaning: 'There is no such subscription.' },
    { code: 'delivery_not_found', status: 404, meaning: 'There is no such webhook delivery.' },
    { code: 'dead_letter_not_found', status: 404, meaning: 'There is no such dead letter.' },
    { code: 'parked_event_not_found', status: 404, meaning: 'There is no such parked event.' },
    { code: 'circuit_not_found', status: 404, meaning: 'No circuit breaker is known for this host.' },
  ],
};
