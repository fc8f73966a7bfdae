//! Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
//!
//!     openapi-generator-cli generate -c openapi-generator.yaml -i http://localhost:3000/openapi.json
//!     SIGNET=http://localhost:3000 cargo run
//!
//! AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
//! default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.

use base64::{engine::general_purpose::STANDARD, Engine};
use k256::ecdsa::SigningKey;
use serde::Deserialize;
use serde_json::{json, Value};
use sha3::{Digest, Keccak256};
use signet_api::apis::{configuration::Configuration, key_value_api, platforms_api, proof_chain_api, proofs_api, Error};
use signet_api::models::{
    KvPayloadRequest, KvSubmitRequest, LinkAction, PayloadRequest, PayloadResponse, SubmitExtra, SubmitRequest,
};
use std::{collections::HashMap, env, fmt, fs, process::ExitCode};

const TRIES: usize = 3;

/// The body of a refusal; its code is text because a newer server may have more codes than the client knows.
#[derive(Deserialize)]
struct Refusal {
    message: String,
    code: String,
}

enum Failure {
    /// What the server answered: `code` is for programs, `message` for people.
    Refused { message: String, code: String },
    /// Anything else, in a sentence.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Refused { message, code } => write!(out, "The server refused: {message} ({code})"),
            Failure::Other(sentence) => write!(out, "{sentence}"),
        }
    }
}

type Outcome<T> = Result<T, Failure>;

fn other(error: impl fmt::Display) -> Failure {
    Failure::Other(error.to_string())
}

/// What the client says of a call that failed, whichever operation it was of.
fn failed<T>(error: Error<T>) -> Failure {
    match error {
        Error::ResponseError(answer) => match serde_json::from_str(&answer.content) {
            Ok(Refusal { message, code }) => Failure::Refused { message, code },
            Err(_) => Failure::Other(format!("The server answered {}, which is no refusal.", answer.status)),
        },
        Error::Reqwest(error) => {
            let mut reason: &dyn std::error::Error = &error;
            while let Some(deeper) = reason.source() {
                reason = deeper;
            }
            Failure::Other(format!("The server cannot be reached: {reason}"))
        }
        error => Failure::Other(format!("An answer cannot be read: {error}")),
    }
}

fn bind(api: &Configuration, key: &str, avatar: &SigningKey, wallet: &SigningKey) -> Outcome<()> {
    let (platform, identity) = ("ethereum".to_owned(), address_of(wallet));
    let link = PayloadRequest::new(LinkAction::Create, platform, identity, key.to_owned());
    let PayloadResponse { sign_payload: text, uuid, created_at, .. } =
        proofs_api::create_payload(api, link.clone()).map_err(failed)?;
    let mut signed = SubmitRequest::new(link.action, link.platform, link.identity, link.public_key, uuid, created_at);
    signed.extra = Some(Box::new(SubmitExtra {
        signature: Some(sign(avatar, &text)?),
        wallet_signature: Some(sign(wallet, &text)?),
        ..SubmitExtra::new()
    }));
    proofs_api::submit_proof(api, signed).map_err(failed)?;
    Ok(())
}

fn write(api: &Configuration, key: &str, avatar: &SigningKey, patch: &HashMap<String, Value>) -> Outcome<()> {
    let platform = platforms_api::list_platforms(api).map_err(failed)?.service_name;
    let entry = KvPayloadRequest::new(key.to_owned(), platform, key.to_owned(), patch.clone());
    let issued = key_value_api::create_kv_payload(api, entry.clone()).map_err(failed)?;
    let signature = sign(avatar, &issued.sign_payload)?;
    let KvPayloadRequest { avatar, platform, identity, patch, .. } = entry;
    let signed = KvSubmitRequest::new(avatar, platform, identity, patch, issued.uuid, issued.created_at, signature);
    key_value_api::submit_kv_patch(api, signed).map_err(failed)?;
    Ok(())
}

/// Counts the links that were recorded since the last call, each once.
fn follow(api: &Configuration, cursor: &str) -> Outcome<usize> {
    let kept = fs::read_to_string(cursor).unwrap_or_else(|_| "0".to_owned());
    let mut last: i64 = kept.trim().parse().map_err(other)?;
    let mut count = 0;
    loop {
        let links = proof_chain_api::list_changes(api, last, Some(100)).map_err(failed)?.links;
        let Some(newest) = links.last() else { return Ok(count) };
        count += links.len();
        last = newest.id;
        fs::write(cursor, last.to_string()).map_err(other)?;
    }
}

/// personal_sign over the text as it came, in Base64.
fn sign(key: &SigningKey, text: &str) -> Outcome<String> {
    let prefixed = format!("\x19Ethereum Signed Message:\n{}{text}", text.len());
    let digest = Keccak256::new_with_prefix(prefixed);
    let (signature, recovery) = key.sign_digest_recoverable(digest).map_err(other)?;
    let mut bytes = signature.to_vec();
    bytes.push(27 + recovery.to_byte());
    Ok(STANDARD.encode(bytes))
}

fn address_of(key: &SigningKey) -> String {
    let point = key.verifying_key().to_encoded_point(false);
    format!("0x{}", hex::encode(&Keccak256::digest(&point.as_bytes()[1..])[12..]))
}

fn secret(name: &str) -> Outcome<SigningKey> {
    let Ok(text) = env::var(name) else { return Ok(SigningKey::random(&mut k256::elliptic_curve::rand_core::OsRng)) };
    let bytes = hex::decode(text.trim_start_matches("0x")).unwrap_or_default();
    SigningKey::from_slice(&bytes).map_err(|_| other(format!("{name} is not a private key of 32 bytes in hex.")))
}

/// Another program may write for the same Avatar: then what was signed does not follow its chain any more.
fn again_when_stale(step: impl Fn() -> Outcome<()>) -> Outcome<()> {
    for _ in 1..TRIES {
        match step() {
            Err(Failure::Refused { code, .. }) if code == "stale_chain" => continue,
            outcome => return outcome,
        }
    }
    step()
}

fn run() -> Outcome<()> {
    let base_path = env::var("SIGNET").unwrap_or_else(|_| "http://localhost:3000".to_owned());
    let api = Configuration { base_path, ..Configuration::default() };
    let cursor = env::var("CURSOR").unwrap_or_else(|_| "cursor".to_owned());
    let (avatar, wallet) = (secret("AVATAR_SECRET")?, secret("WALLET_SECRET")?);
    let own = format!("0x{}", hex::encode(avatar.verifying_key().to_encoded_point(true).as_bytes()));
    let key = env::var("AVATAR").unwrap_or(own);

    again_when_stale(|| bind(&api, &key, &avatar, &wallet))?;
    let address = address_of(&wallet);
    let found = proofs_api::find_proofs(&api, vec![address.clone()], Some("ethereum"), None, Some(true));
    println!("{address} belongs to {}", found.map_err(failed)?.ids[0].avatar);

    let patch = HashMap::from([("name".to_owned(), json!("Alice")), ("language".to_owned(), json!("Rust"))]);
    again_when_stale(|| write(&api, &key, &avatar, &patch))?;
    let stored = key_value_api::get_kv(&api, &key).map_err(failed)?;
    println!("content {}", json!(stored.proofs[0].content));

    println!("links {}, then {}", follow(&api, &cursor)?, follow(&api, &cursor)?);
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
