import { AtprotoAccount, newKey } from '../../../../verify/test/support/atproto-account.js';
import { BlueskyVerifier } from '../../../src/verifiers/bluesky/bluesky.verifier.js';
import { PDS, showAccounts } from '../../support/bluesky-stand-in.js';
import { jsonReply, type StandInHandler } from '../../support/stand-in-server.js';
import type { VerifierUnderTest } from '../describe-verifier.js';

export const POSTS = 'app.bsky.feed.post';
export const PROFILES = 'app.bsky.actor.profile';
export const RKEY = '3lprcc55bb222';

const signingKey = await newKey('p256');
export const rotationKeys = [await newKey('secp256k1')];
export const newAccount = (handle: string) =>
  AtprotoAccount.create({ signingKey, rotationKeys, handle, server: `https://${PDS}` });
export const alice = await newAccount('alice.example.org');
export const mallory = await newAccount('mallory.example.org');

/** Publishes something for an account. */
export type Write = (account: AtprotoAccount) => Promise<void>;

/** The directory, the server of the accounts, and a silent AppView, when `write` has published for `owner`. */
export function network(
  owner: AtprotoAccount,
  write: Write,
  instead: Partial<Record<string, StandInHandler>> = {},
): StandInHandler {
  const account = owner.withoutRecords();
  const written = write(account);
  const answer = showAccounts([alice, mallory], account);
  return async (request) => {
    await written;
    const path = decodeURIComponent(request.path);
    const other = Object.entries(instead).find(([start]) => path.startsWith(start));
    return other ? other[1]!(request) : answer(request);
  };
}

export const posting =
  (text: string, changes: object = {}): Write =>
  (account) =>
    account.put(POSTS, RKEY, { $type: POSTS, text, createdAt: '2026-01-01T00:00:00Z', ...changes });

/** Bluesky: what directory, server and AppView answer. */
export const bluesky: VerifierUnderTest = {
  platform: 'bluesky',
  identity: alice.did,
  otherIdentity: mallory.did,
  proofLocation: `https://bsky.app/profile/${alice.did}/post/${RKEY}`,
  accountId: alice.did,
  create: (web, options) => new BlueskyVerifier(web, options),
  browser: (web, options) => new BlueskyVerifier(web, options),
  settings: (baseUrl) => ({ PLC_DIRECTORY_URL: baseUrl, BLUESKY_APPVIEW_URL: baseUrl }),
  hosts: [PDS],
  published: ({ author, text }) => network(author === alice.did ? alice : mallory, posting(text)),
  otherForms: {
    'by the AppView': ({ author, text }) =>
      network(alice, posting(text), {
        '/xrpc/com.atproto': () => ({ status: 503 }),
        '/xrpc/app.bsky.feed.getPosts': () => jsonReply({ posts: [aView(author, text)] }),
      }),
  },
  missing: {
    'a repository without the post': network(alice, async (account) =>
      account.put(POSTS, '3lprcc55bb223', { text: '' }),
    ),
    'an empty repository': network(alice, async () => {}),
    'an account that its server does not know': network(mallory, async () => {}),
    'an account that was taken down': network(alice, async () => {}, {
      '/xrpc/com.atproto': () => jsonReply({ error: 'RepoTakendown', message: 'Repo has been takendown' }, 400),
    }),
    'a DID that the directory does not know': network(alice, async () => {}, {
      '/did:plc:': () => jsonReply({ message: 'DID not registered' }, 404),
    }),
    'an AppView that has no such post': network(alice, async () => {}, {
      '/xrpc/com.atproto': () => ({ status: 503 }),
      '/xrpc/app.bsky.feed.getPosts': () => jsonReply({ posts: [] }),
    }),
  },
  foreign: {
    'a quoted post': ({ text }) =>
      network(alice, posting('look', { embed: { $type: 'app.bsky.embed.record', record: { value: { text } } } })),
    'the text of a picture': ({ text }) =>
      network(alice, posting('look', { embed: { $type: 'app.bsky.embed.images', images: [{ alt: text }] } })),
    'a record of another type': ({ text }) => network(alice, posting(text, { $type: 'app.bsky.feed.like' })),
  },
};

export function aView(author: string, text: string): object {
  const uri = `at://${alice.did}/${POSTS}/${RKEY}`;
  return { uri, cid: 'bafyrei', author: { did: author }, record: { $type: POSTS, text } };
}
