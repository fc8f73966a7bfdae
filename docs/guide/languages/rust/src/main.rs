//! Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
//!
//!     SIGNET=http://localhost:3000 cargo run
//!
//! AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
//! default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.

use base64::{engine::general_purpose::STANDARD, Engine};
use k256::ecdsa::SigningKey;
use serde_json::{json, Value};
use sha3::{Digest, Keccak256};
use std::{env, fmt, fs, process::ExitCode};

const TRIES: usize = 3;

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

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

struct Signet {
    url: String,
    agent: ureq::Agent,
}

impl Signet {
    /// Posts `body`, or reads where there is none.
    fn call(&self, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let url = format!("{}{}", self.url, path);
        let sent = match body {
            Some(body) => self.agent.post(&url).send_json(body),
            None => self.agent.get(&url).call(),
        };
        let mut response = sent.map_err(|error| other(format!("{} cannot be reached: {error}", self.url)))?;
        let answer: Value = response.body_mut().read_json().map_err(other)?;
        if response.status().is_success() {
            return Ok(answer);
        }
        Err(Failure::Refused { message: text(&answer["message"]), code: text(&answer["code"]) })
    }

    fn bind(&self, key: &str, avatar: &SigningKey, wallet: &SigningKey) -> Outcome<Value> {
        let mut link = json!({
            "action": "create", "platform": "ethereum", "identity": address_of(wallet), "public_key": key,
        });
        let payload = self.call("/v1/proof/payload", Some(&link))?;
        let signed = text(&payload["sign_payload"]);
        link["uuid"] = payload["uuid"].clone();
        link["created_at"] = payload["created_at"].clone();
        link["extra"] = json!({ "signature": sign(avatar, &signed)?, "wallet_signature": sign(wallet, &signed)? });
        self.call("/v1/proof", Some(&link))
    }

    fn write(&self, key: &str, avatar: &SigningKey, patch: &Value) -> Outcome<Value> {
        let platform = self.call("/v1/platforms", None)?["service_name"].clone();
        let mut entry = json!({ "avatar": key, "platform": platform, "identity": key, "patch": patch });
        let payload = self.call("/v1/kv/payload", Some(&entry))?;
        entry["uuid"] = payload["uuid"].clone();
        entry["created_at"] = payload["created_at"].clone();
        entry["signature"] = json!(sign(avatar, &text(&payload["sign_payload"]))?);
        self.call("/v1/kv", Some(&entry))
    }

    /// Counts the links that were recorded since the last call, each once.
    fn follow(&self, cursor: &str) -> Outcome<usize> {
        let kept = fs::read_to_string(cursor).unwrap_or_else(|_| "0".to_owned());
        let mut last: i64 = kept.trim().parse().map_err(other)?;
        let mut count = 0;
        loop {
            let page = self.call(&format!("/v1/proofchain/changes?last_id={last}&count=100"), None)?;
            let links = page["links"].as_array().cloned().unwrap_or_default();
            let Some(newest) = links.last() else { return Ok(count) };
            count += links.len();
            last = newest["id"].as_i64().ok_or_else(|| other("The feed has a link without an id."))?;
            fs::write(cursor, last.to_string()).map_err(other)?;
        }
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
fn again_when_stale(step: impl Fn() -> Outcome<Value>) -> Outcome<Value> {
    for _ in 1..TRIES {
        match step() {
            Err(Failure::Refused { code, .. }) if code == "stale_chain" => continue,
            outcome => return outcome,
        }
    }
    step()
}

fn run() -> Outcome<()> {
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let url = env::var("SIGNET").unwrap_or_else(|_| "http://localhost:3000".to_owned());
    let signet = Signet { url, agent: config.new_agent() };
    let cursor = env::var("CURSOR").unwrap_or_else(|_| "cursor".to_owned());
    let (avatar, wallet) = (secret("AVATAR_SECRET")?, secret("WALLET_SECRET")?);
    let own = format!("0x{}", hex::encode(avatar.verifying_key().to_encoded_point(true).as_bytes()));
    let key = env::var("AVATAR").unwrap_or(own);

    again_when_stale(|| signet.bind(&key, &avatar, &wallet))?;
    let address = address_of(&wallet);
    let found = signet.call(&format!("/v1/proof?platform=ethereum&exact=true&identity={address}"), None)?;
    println!("{address} belongs to {}", text(&found["ids"][0]["avatar"]));

    let patch = json!({ "name": "Alice", "language": "Rust" });
    again_when_stale(|| signet.write(&key, &avatar, &patch))?;
    let content = signet.call(&format!("/v1/kv?avatar={key}"), None)?["proofs"][0]["content"].clone();
    println!("content {content}");

    println!("links {}, then {}", signet.follow(&cursor)?, signet.follow(&cursor)?);
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
