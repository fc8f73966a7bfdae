/** Links of contract wallets (ERC-1271) whose signed text names chain and block: good ones, and bad ones. */
import { alice, base64, bySolana, linksOf, wallet } from './people.mjs';

/** @import { ChainVectors, Link, LinkStep } from './types.d.ts' */

const GITHUB = { platform: 'github', identity: 'alice' };
const SOLANA = { platform: 'solana', identity: wallet.solana };
const CHAIN = { chain_id: 10, block_number: 123_456_789 };
const CONTRACT = base64(Buffer.alloc(100, 9));

/**
 * The one link of a wallet whose text names a chain; `signed` is what it names, `asked` what `extra` says.
 * @param {LinkStep['signed']} [signed]
 * @param {Link['extra']} [asked]
 * @param {LinkStep} [more]
 */
function contractLink(signed = CHAIN, asked = CHAIN, more = {}) {
  return linksOf(alice, [{ signed, extra: { wallet_signature: CONTRACT, ...asked }, ...more }]);
}

/**
 * The vectors, made by `good` and `bad` of the chains; `bound` is a link with the uuid of those here.
 * @param {Pick<ChainVectors, 'good' | 'bad'>} makers
 * @param {Link} bound
 */
export function signedChains({ good, bad }, bound) {
  const WALLET = ['wallet_signature'];
  const { chain_id, block_number } = CHAIN;
  const best = Number.MAX_SAFE_INTEGER;
  /** @param {string} text */
  const byKey = (text) => ({ wallet_signature: wallet.sign(text), ...CHAIN });
  /** @param {Link[]} links */
  const keyOf = ([link]) => [{ ...link, extra: byKey(link.signature_payload) }];
  /** @param {string} text @param {keyof typeof CHAIN} from @param {string} to */
  const named = (text, from, to) => text.replace(`"${from}":${CHAIN[from]}`, to);
  /** @param {string} id @param {keyof typeof CHAIN} from @param {string} to @param {string[]} reasons */
  const rewritten = (id, from, to, reasons) =>
    bad(id, contractLink(CHAIN, CHAIN, { rewrite: (text) => named(text, from, to) }), reasons, WALLET);
  /** @param {string} id @param {object} change @param {string[]} [open] */
  const asked = (id, change, open = WALLET) =>
    bad(id, contractLink(CHAIN, { ...CHAIN, ...change }), open.length > 0 ? ['fields'] : ['fields', ...WALLET], open);
  return [
    good('signed-chain', contractLink(), [bound], WALLET),
    good('signed-chain-asked-at-a-later-block', contractLink(CHAIN, { chain_id, block_number: best }), [bound], WALLET),
    good(
      'signed-chain-from-its-first-block',
      contractLink({ chain_id: best, block_number: 0 }, { chain_id: best, block_number: 0 }),
      [bound],
      WALLET,
    ),
    good('signed-chain-of-a-wallet-with-a-key', keyOf(contractLink()), [bound]),
    good(
      'signed-chain-that-is-revoked',
      [...contractLink(), ...linksOf(alice, [{ action: 'delete' }], contractLink()[0])],
      [],
      WALLET,
    ),
    asked('signed-chain-asked-on-another', { chain_id: 1 }),
    asked('signed-chain-asked-as-text', { chain_id: '10' }),
    asked('signed-chain-asked-nowhere', { chain_id: undefined }, []),
    asked('signed-chain-asked-at-an-older-block', { block_number: block_number - 1 }),
    asked('signed-chain-asked-at-no-block', { block_number: undefined }),
    asked('signed-chain-asked-at-half-a-block', { block_number: block_number + 0.5 }),
    asked('signed-chain-asked-at-a-block-in-text', { block_number: String(block_number) }),
    asked('signed-chain-asked-at-a-block-out-of-range', { block_number: 2 ** 53 }),
    bad('signed-chain-of-a-wallet-with-a-key-asked-nowhere', linksOf(alice, [{ signed: CHAIN }]), ['fields']),
    rewritten('signed-chain-without-a-block', 'block_number', '"uuids":[]', ['canonical_text']),
    rewritten('signed-block-without-a-chain', 'chain_id', '"chain":10', ['canonical_text']),
    rewritten('signed-chain-zero', 'chain_id', '"chain_id":0', ['canonical_text']),
    rewritten('signed-chain-in-text', 'chain_id', '"chain_id":"10"', ['canonical_text']),
    rewritten('signed-chain-with-a-fraction', 'chain_id', '"chain_id":10.5', ['canonical_text']),
    rewritten('signed-chain-written-with-a-fraction', 'chain_id', '"chain_id":10.0', ['canonical_text']),
    rewritten('signed-chain-out-of-range', 'chain_id', '"chain_id":9007199254740992', ['canonical_text']),
    rewritten('signed-block-below-zero', 'block_number', '"block_number":-1', ['canonical_text']),
    rewritten('signed-block-true', 'block_number', '"block_number":true', ['canonical_text']),
    rewritten('signed-block-null', 'block_number', '"block_number":null', ['canonical_text']),
    bad('signed-chain-of-an-account', contractLink(CHAIN, CHAIN, GITHUB), ['canonical_text'], ['post']),
    bad('signed-chain-of-a-solana-wallet', [bySolana(contractLink(CHAIN, CHAIN, SOLANA)[0])], ['canonical_text']),
    bad(
      'signed-chain-in-a-delete',
      [bound, ...linksOf(alice, [{ action: 'delete', signed: CHAIN, extra: CHAIN }], bound)],
      ['canonical_text'],
    ),
  ];
}
