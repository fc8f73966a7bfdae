import type { NewPatch } from '../../src/kv/kv-feed.js';
import type { OwnEntry } from '../../src/kv/kv.queries.js';
import { type AcceptedPatch, acceptPatch, type PatchState } from '../../src/kv/patches/patch-rules.js';
import { anAvatar } from '../support/avatar.js';

const LIMITS = { KV_MAX_ENTRY_BYTES: 20, KV_MAX_ENTRIES: 3, KV_MAX_AVATAR_BYTES: 40 };

function aPatch(patch: object, changes: Partial<NewPatch> = {}): NewPatch {
  return {
    avatar: anAvatar('alice').key,
    platform: 'github',
    identity: 'alice',
    createdAt: new Date(0),
    uuid: 'uuid',
    signature: 's2',
    signaturePayload: '{}',
    previous: 's1',
    patch,
    patchText: JSON.stringify(patch),
    ...changes,
  };
}

const entry = (identity: string, content: string, platform = 'github'): OwnEntry => ({
  platform,
  identity,
  content,
  isBound: true,
  isIncomplete: false,
});

const aState = (changes: Partial<PatchState> = {}): PatchState => ({
  head: 's1',
  headAt: new Date(0),
  length: 7,
  isRecorded: false,
  isAllowed: true,
  isBound: false,
  isIncomplete: false,
  isHeadNumbered: true,
  entries: [],
  ...changes,
});

const judged = (patch: NewPatch, state = aState()) => acceptPatch(patch, state, LIMITS);

describe('a patch that is the next one of its chain', () => {
  it('gets no number in the feed before the one before it has one', () => {
    expect(judged(aPatch({ a: 1 }), aState({ isHeadNumbered: false }))).toMatchObject({ isNumbered: false });
  });

  it('gets the next position, and is merged into the entry of its identity', () => {
    const patch = aPatch({ b: 2, a: null });
    const state = aState({ entries: [entry('alice', '{"a":1}'), entry('alice', '{"z":0}', 'twitter')] });

    expect(judged(patch, state)).toEqual({
      patch,
      positionInChain: 8,
      isNumbered: true,
      recordedAt: null,
      content: '{"b":2}',
      entries: [
        { platform: 'github', identity: 'alice', content: '{"b":2}', isBound: false, isIncomplete: false },
        entry('alice', '{"z":0}', 'twitter'),
      ],
    });
  });

  it('makes an entry where there is none, in its place by the bytes of platform and identity', () => {
    const others = [entry('Zoe', '{}', 'dns'), entry('a', '{}', 'github'), entry('\u{10000}', '{}', 'github')];

    const places = ['github', 'dns', 'twitter'].map((platform) => {
      const state = aState({ entries: others });
      const patch = aPatch({}, { platform, identity: '\uffff' });
      const accepted = acceptPatch(patch, state, { ...LIMITS, KV_MAX_ENTRIES: 4 }) as AcceptedPatch;
      return accepted.entries.findIndex(({ identity }) => identity === '\uffff');
    });

    // By UTF-16 units, U+FFFF would come behind the surrogates of U+10000.
    expect(places).toEqual([2, 1, 3]);
  });

  it('is as large as its settings allow', () => {
    const content = (bytes: number) => 'x'.repeat(bytes - '{"a":""}'.length);
    const beside = entry('bob', `"${'é'.repeat(9)}"`); // 20 bytes

    expect(judged(aPatch({ a: content(20) }))).toHaveProperty('content', `{"a":"${content(20)}"}`);
    expect(judged(aPatch({ a: content(21) }))).toMatchObject({
      code: 'content_too_large',
      message: 'The content of this entry would have 21 bytes as canonical JSON; at most 20 are allowed.',
    });
    const full = aState({ entries: [beside] });
    expect(judged(aPatch({ a: content(20) }), full)).toHaveProperty('positionInChain', 8);
    expect(judged(aPatch({ a: content(20) }), aState({ entries: [beside, entry('carol', '1')] }))).toMatchObject({
      code: 'avatar_content_too_large',
      message: 'All content of this Avatar would have 41 bytes as canonical JSON; at most 40 are allowed.',
    });
  });

  it('makes no more entries than the settings allow, and changes those that are there', () => {
    const three = ['alice', 'bob', 'carol'].map((identity) => entry(identity, '{}'));

    expect(judged(aPatch({}, { identity: 'dave' }), aState({ entries: three.slice(1) }))).toHaveProperty('content');
    expect(judged(aPatch({}), aState({ entries: three }))).toHaveProperty('content', '{}');
    expect(judged(aPatch({}, { identity: 'dave' }), aState({ entries: three }))).toMatchObject({
      code: 'too_many_entries',
      message: 'This Avatar would have 4 entries; at most 3 are allowed.',
    });
  });

  it('is refused where the Avatar may not write under the identity', () => {
    expect(judged(aPatch({}), aState({ isAllowed: false }))).toMatchObject({ code: 'not_bound' });
  });

  it('ends the batch where its stored content cannot be read, which is no fault of the patch', () => {
    expect(() => judged(aPatch({}), aState({ entries: [entry('alice', '{')] }))).toThrow(SyntaxError);
  });
});
