//! What the crate dnssec-prover says of chains of DNS records (RFC 9102): reads lines `<name> <hex of a chain>`, and
//! writes for each `<valid from> <expires> <TXT in hex>...`, or `-` where it shows no TXT record.
use dnssec_prover::rr::{Name, RR};
use dnssec_prover::ser::parse_rr_stream;
use dnssec_prover::validation::verify_rr_stream;
use std::io::BufRead;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).unwrap()).collect()
}

fn hex(bytes: Vec<u8>) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn shown(name: &str, chain: &[u8]) -> Option<String> {
    let name: Name = format!("{name}.").try_into().ok()?;
    let records = parse_rr_stream(chain).ok()?;
    let verified = verify_rr_stream(&records).ok()?;
    let found = verified.resolve_name(&name);
    let mut texts: Vec<String> = found
        .iter()
        .filter_map(|record| match record {
            RR::Txt(txt) => Some(hex(txt.data.as_vec())),
            _ => None,
        })
        .collect();
    texts.sort();
    (!texts.is_empty()).then(|| format!("{} {} {}", verified.valid_from, verified.expires, texts.join(" ")))
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (name, chain) = line.split_once(' ').unwrap();
        println!("{}", shown(name, &bytes(chain)).unwrap_or_else(|| "-".into()));
    }
}
