import { jsonReply } from '../support/stand-in-server.js';
import {
  anInstance,
  aSplitDomain,
  aNote,
  aStatus,
  MASTODON_ID,
  MISSKEY_ID,
  misskeyError,
  NOTE_PATH,
  RECORD_NOT_FOUND,
  serve,
  STATUS_PATH,
  suite,
  type Routes,
} from './activitypub-stand-ins.js';
import { describePostVerifier, type PublishedPost } from './describe-verifier.js';

const userOf = (identity: string) => identity.slice(0, identity.indexOf('@'));

const mastodon = (status: Routes[string]) => serve({ ...anInstance('mastodon'), [STATUS_PATH]: status });
const statusOf = ({ author, text }: Pick<PublishedPost, 'author' | 'text'>, changes: Record<string, unknown> = {}) =>
  jsonReply(aStatus(text, { account: { id: '42', username: userOf(author), acct: userOf(author) }, ...changes }));

describe('on a server like Mastodon', () =>
  describePostVerifier({
    ...suite,
    platform: 'activitypub',
    identity: 'alice@social.example.com',
    otherIdentity: 'mallory@social.example.com',
    proofLocation: MASTODON_ID,
    accountId: '42',
    published: (post) => mastodon(statusOf(post)),
    missing: { 'a 404 of Mastodon': mastodon(RECORD_NOT_FOUND), 'an account that is not there': serve({}) },
    foreign: {
      'a boost': (post) => mastodon(statusOf(post, { reblog: aStatus(post.text) })),
      'a quote': ({ author, text }) =>
        mastodon(statusOf({ author, text: 'look' }, { quote: { quoted_status: aStatus(text) } })),
    },
  }));

const misskey = (note: Routes[string]) => serve({ ...anInstance('misskey'), [NOTE_PATH]: note });
const noteOf = ({ author, text }: Pick<PublishedPost, 'author' | 'text'>, changes: Record<string, unknown> = {}) =>
  jsonReply(aNote(text, { user: { id: '8zuserid01', username: userOf(author), host: null }, ...changes }));

describe('on a server like Misskey', () =>
  describePostVerifier({
    ...suite,
    platform: 'activitypub',
    identity: 'alice@social.example.com',
    otherIdentity: 'mallory@social.example.com',
    proofLocation: MISSKEY_ID,
    accountId: '8zuserid01',
    published: (post) => misskey(noteOf(post)),
    missing: { 'an error of Misskey': misskey(misskeyError('NO_SUCH_NOTE')) },
    foreign: {
      'a renote': ({ author, text }) => misskey(noteOf({ author, text: '' }, { text: null, renote: aNote(text) })),
      'a quoted note': ({ author, text }) => misskey(noteOf({ author, text: 'look' }, { renote: aNote(text) })),
      'the note it replies to': ({ author, text }) => misskey(noteOf({ author, text: 'yes' }, { reply: aNote(text) })),
    },
  }));

describe('on a split domain', () =>
  describePostVerifier({
    ...suite,
    platform: 'activitypub',
    identity: 'alice@example.com',
    otherIdentity: 'mallory@example.com',
    proofLocation: MASTODON_ID,
    accountId: '42',
    published: (post) => serve({ ...aSplitDomain(), [STATUS_PATH]: statusOf(post) }),
    missing: { 'a 404 of Mastodon': serve({ ...aSplitDomain(), [STATUS_PATH]: RECORD_NOT_FOUND }) },
  }));
