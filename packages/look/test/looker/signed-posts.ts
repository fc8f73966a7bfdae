import { randomUUID } from 'node:crypto';
import type { Bound } from '@signet/look';
import { createVerifiers, type PlatformVerifier, SIGNATURE_PLACEHOLDER } from '@signet/look';
import { canonicalJson, findAvatarKey } from '@signet/verify';
import { anAvatar, type TestAvatar } from '../support/avatar.js';
import { BrowserFetcher } from '../../src/browser/browser-fetcher.js';

/** A binding that was signed, and what its holder publishes. */
export interface SignedPost {
  bound: Bound;
  /** The text to publish, with the signature of `signer`. */
  text: string;
}

/** Verifiers for their texts; they are not asked to look. */
const verifiers = createVerifiers(new BrowserFetcher());

/**
 * A first link of `avatar` that binds an account, and the text to publish, which `signer` has signed: the Avatar itself
 * when absent.
 */
export function signedPost(
  { platform, identity, location = '' }: { platform: string; identity: string; location?: string },
  avatar: TestAvatar = anAvatar('alice'),
  signer: TestAvatar = avatar,
): SignedPost {
  const key = avatar.key.compressed;
  const [created_at, uuid] = ['1718000000', randomUUID()];
  const fields = { action: 'create', avatar: key, created_at, identity, platform, uuid };
  const signature_payload = canonicalJson({ ...fields, prev: null });
  const signature = avatar.sign(signature_payload);
  const link = { ...fields, proof_location: location, signature, signature_payload, extra: {}, archive_id: '' };
  const draft = {
    ...{ avatar: findAvatarKey(key)!, identity, signPayload: signature_payload, uuid },
    ...{ createdAt: new Date(Number(created_at) * 1000), previous: null },
  };
  const text = verifierOf(platform)
    .postContent(draft)
    .default.replace(SIGNATURE_PLACEHOLDER, signer.sign(signature_payload));
  return { bound: { avatar: key, link, accountId: '' }, text };
}

function verifierOf(platform: string): PlatformVerifier {
  return verifiers.find((one) => one.platform === platform)!;
}

/** A gist as GitHub answers it. */
export function gistOf({ bound, text }: SignedPost, changes: object = {}): object {
  return {
    ...{ public: true, truncated: false, owner: { login: bound.link.identity, id: 9000001 } },
    files: { [`${bound.avatar}.json`]: { truncated: false, content: text } },
    ...changes,
  };
}
