import { decodeHex, encodeBase64, encodeHex, nobleBip340, nobleCurves } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';
import {
  decodeNostrSignature,
  decodeNpub,
  encodeNpub,
  NOSTR_KIND,
  nostrEventId,
  nostrSigned,
  nostrTemplate,
} from '@signet/verify/internal/signatures';
import { canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError, InvalidSignatureError } from '../../errors.js';
import {
  type FoundAccount,
  invalid,
  type PlatformCosts,
  type PlatformGuide,
  type PlatformVerifier,
  type PostContent,
  type ProofClaim,
  type ProofDraft,
  SIGNATURE_PLACEHOLDER,
  type Verdict,
} from '../../platform-verifier.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';
import { MISSING_WALLET_SIGNATURE } from '../../posts/wallet-text.js';
import type { Fetcher } from '../../web/fetcher.js';
import { domainNameIn, keyOfName, shownName } from './nip05.js';

const HEX_KEY = /^[0-9a-f]{64}$/i;
/** Pages of profiles: `https://njump.me/<npub>`, `https://primal.net/p/<npub>`, `https://snort.social/<npub>`. */
const PAGES = ['njump.me', 'primal.net', 'snort.social'];
const PRIVATE_KEY = /nsec1/i;

/**
 * Nostr as a wallet: the key signs an event whose content is the payload (NIP-01, BIP-340), and the event goes to no
 * relay. Its kind, its time and its tags follow from the payload, so the signature is all that is sent and kept.
 * Names at domains (NIP-05) are hints: they lead to a key, and a domain can give a name to another key at any time.
 * Sources: nostr-protocol/nips, 01, 05, 07, 19, 21.
 */
export class NostrVerifier implements PlatformVerifier {
  readonly platform = 'nostr';
  readonly publishes = 'nothing';
  /** Of the look-ups of names; checks send nothing. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 60, seconds: 60 } } };
  readonly guide: PlatformGuide = {
    label: 'Nostr',
    profileUrls: ['https://njump.me/{identity}'],
    identityPattern: NAME_PATTERNS.nostr,
    identityExample: 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg',
    locationForms: [],
    steps: [
      'Ask for a payload with your npub as identity, and sign sign_payload with your Avatar key.',
      `Let your Nostr extension or app sign an event of kind ${NOSTR_KIND} without tags, whose content is exactly sign_payload ` +
        'and whose created_at is that of the payload, as a number.',
      'Submit both: extra.signature is from the Avatar (Base64), extra.wallet_signature is the sig of the event (hex or Base64). ' +
        'Nothing is published, and the event goes to no relay.',
    ],
  };

  constructor(private readonly web: Fetcher) {}

  /**
   * Takes an `npub`, also behind `nostr:`, the key in hex, and addresses of profiles.
   * @throws InvalidRequestError (`invalid_identity`) if its checksum is wrong, or no point has this x
   */
  canonicalIdentity(text: string): string {
    const pasted = cleanPasted(text);
    const key = keyIn(pasted);
    if (key && isPoint(key)) return encodeNpub(key);
    throw invalidIdentity(
      PRIVATE_KEY.test(pasted)
        ? 'this is a private key, which nobody else may see; take npub1 and the letters behind it'
        : key
          ? 'no key has this x'
          : 'expected npub1 and 58 letters and digits, with its checksum',
    );
  }

  /**
   * The key that the domain of a name gives for it (NIP-05). A key itself has no name here: only relays could say
   * one.
   */
  async findAccount(text: string): Promise<FoundAccount | null> {
    const pasted = cleanPasted(text);
    if (keyIn(pasted) || PRIVATE_KEY.test(pasted)) return { identity: this.canonicalIdentity(pasted), name: '' };
    const name = domainNameIn(pasted);
    if (!name) throw invalidIdentity('expected npub1…, or a name at a domain such as alice@example.org');
    const key = await keyOfName(name, this.web);
    return key && isPoint(key) ? { identity: encodeNpub(key), name: shownName(name) } : null;
  }

  postContent({ identity }: ProofDraft): PostContent {
    return {
      default:
        `Nothing has to be published for a key of Nostr. Send the Avatar signature ${SIGNATURE_PLACEHOLDER} as extra.signature, ` +
        `and as extra.wallet_signature the sig of an event of kind ${NOSTR_KIND} by ${identity}, without tags, whose content ` +
        'is sign_payload and whose created_at is that of the payload.',
    };
  }

  /** @throws InvalidSignatureError for a signature that is malformed */
  verify({ identity, signPayload, walletSignature }: ProofClaim): Promise<Verdict> {
    return Promise.resolve().then(() => {
      if (!walletSignature) return invalid(MISSING_WALLET_SIGNATURE);
      const signature = decodeNostrSignature(walletSignature);
      if (!signature) {
        throw new InvalidSignatureError(
          'extra.wallet_signature must be the sig of the event: 64 bytes in hex or Base64.',
        );
      }
      if (nostrSigned(signPayload, signature, identity, nobleBip340)) {
        return { valid: true, extra: { wallet_signature: encodeBase64(signature) } };
      }
      return invalid(notSigned(identity, signPayload));
    });
  }
}

/** The bytes that a text names as a key, whether or not a point has this x; null where it names none. */
function keyIn(pasted: string): Uint8Array | null {
  const url = parsePastedUrl(pasted);
  const written = url && PAGES.includes(url.host) ? (url.path.at(-1) ?? '') : pasted;
  if (HEX_KEY.test(written)) return decodeHex(written);
  const npub = canonicalForm('nostr', written);
  return npub === null ? null : decodeNpub(npub);
}

function isPoint(key: Uint8Array): boolean {
  return nobleCurves.secp256k1.parsePublicKey(Uint8Array.of(2, ...key)) !== null;
}

/** Says which event was expected, by its id: whoever compares ids sees whether the event or the key is another one. */
function notSigned(identity: string, signPayload: string): string {
  const key = decodeNpub(identity);
  const id = key && nostrEventId(signPayload, key);
  if (!id) return `${identity} cannot sign this payload.`;
  return (
    `The signature was not made by ${identity} over the event of this payload: kind ${NOSTR_KIND}, created_at ` +
    `${nostrTemplate(signPayload)!.created_at}, no tags, content exactly sign_payload, which has the id ${encodeHex(id)}.`
  );
}

function invalidIdentity(why: string): InvalidRequestError {
  return new InvalidRequestError(`Not a key of Nostr: ${why}.`, 'invalid_identity');
}
