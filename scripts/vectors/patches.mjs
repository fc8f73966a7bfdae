/** Chains of patches, and merges. */
import { readFileSync } from 'node:fs';
import { applyMergePatch, canonicalJson } from '@signet/verify';
import { rewrittenJson } from '@signet/verify/internal';
import { identityKeyText } from '@signet/verify/internal/chains';
import { erasedPatch } from './erased.mjs';
import { accepted, alice, copyOf, linksOf, mallory, patchesOf, refused, START, uuidOf } from './people.mjs';

/** @import { Expected, Forged, Patch } from './types.d.ts' */

/** @param {Pick<Patch, 'platform' | 'identity' | 'patch'>[]} patches */
const contentOf = (patches) => {
  const entries = new Map();
  for (const { platform, identity, patch } of patches) {
    const key = `${platform} ${identity}`;
    const content = applyMergePatch(entries.get(key)?.content ?? {}, patch);
    entries.set(key, { platform, identity, content });
  }
  return [...entries.values()];
};

/** Chains of patches. */
export function patchChains() {
  const own = { platform: 'self', identity: alice.uncompressed };
  const steps = [
    { patch: { name: 'Alice', links: ['a', 'b'], theme: { dark: true, font: 'serif' } } },
    { patch: { name: null, links: [], theme: { dark: null } } },
    { ...own, patch: { list: [{ a: null }, null], n: 1e21, zoë: '𝒳' } },
    { patch: { name: 'Alice', theme: 'plain' } },
    { patch: { theme: { a: { b: 1, c: null } } } },
  ];
  const patches = patchesOf(alice, steps);
  const numbered = { patch: { 10: 'ten', 9: 'nine', b: { 2: 1, 1: 2, '01': 3 }, a: [{ 1: 1, 0: 0 }] } };
  const rewritten = patchesOf(alice, [{ ...numbered, rewrite: rewrittenJson }]);
  const twins = patchesOf(alice, [
    { patch: JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2}}') },
    { patch: JSON.parse('{"__proto__":{"z":3},"constructor":null}') },
  ]);
  const [one] = patchesOf(alice, [steps[0]]);
  /** @param {string} id @param {Forged[]} list @param {Expected} expected @param {object} [more] */
  const vector = (id, list, expected, more = {}) => ({ id, patches: list, ...more, expected });
  /** @param {string} id @param {(Patch & { id?: number })[]} list @param {object} [more] */
  const good = (id, list, more = {}) =>
    vector(id, list, accepted({ avatar: alice.avatar, entries: contentOf(list) }), more);
  /** @param {string} id @param {(Patch & { proof_location?: string, extra?: object })[]} list */
  const erased = (id, list) => {
    /** @param {Pick<Patch, 'platform' | 'identity'>} entry */
    const own = ({ platform, identity }) => {
      // Of each entry counts what stands behind its last erased patch.
      const end = list.findLastIndex((item) => item.erased?.identity_key === identityKeyText({ platform, identity }));
      /** @param {Patch} item @param {number} place */
      const isBehind = (item, place) => place > end && item.platform === platform && item.identity === identity;
      const [left] = contentOf(list.filter((item, place) => !item.erased && isBehind(item, place)));
      const entry = { platform, identity, content: left?.content ?? {} };
      return end < 0 ? entry : { ...entry, incomplete: true };
    };
    const entries = contentOf(list.filter((item) => !item.erased)).map(own);
    return vector(id, list, accepted({ avatar: alice.avatar, entries }, ['erased']));
  };
  /** @param {string} id @param {Forged[]} list @param {string[]} reasons @param {object} [more] */
  const bad = (id, list, reasons, more = {}) => vector(id, list, refused(reasons), more);
  /** @param {string} id @param {object} change @param {string[]} reasons */
  const changed = (id, change, reasons) => bad(id, [{ ...copyOf(one), ...change }], reasons);
  /** @param {string} id @param {(text: string) => string} rewrite @param {string[]} reasons */
  const resigned = (id, rewrite, reasons) => bad(id, patchesOf(alice, [{ ...numbered, rewrite }]), reasons);
  /** @param {string} text */
  const topOnly = (text) => {
    const canonical = JSON.parse(text);
    return canonicalJson(canonical)
      .replace('"10":"ten","9":"nine",', '')
      .replace('"patch":{', '"patch":{"9":"nine","10":"ten",');
  };
  return {
    description:
      'Chains of key-value patches, oldest first, as `GET /v1/kv/chain` answers them. `entries`: the content that they add up to, in the order of the first patch of each entry.',
    vectors: [
      good('five-patches-of-two-entries', patches),
      good('five-patches-of-the-expected-avatar', patches, { avatar: alice.avatar }),
      vector('no-patches', [], accepted({ avatar: '', entries: [] })),
      vector('no-patches-of-the-expected-avatar', [], accepted({ avatar: alice.avatar, entries: [] }, ['all']), {
        avatar: alice.avatar,
      }),
      good('a-patch-that-names-its-avatar', [{ ...one, avatar: alice.avatar, id: 3 }]),
      good('names-like-numbers-signed-as-canonical-json', patchesOf(alice, [numbered])),
      good('names-like-numbers-signed-as-javascript-rewrites-them', rewritten),
      good('names-of-javascript', twins),
      good('an-empty-patch', patchesOf(alice, [{ patch: {} }])),
      erased('erased-a-patch', [patches[0], erasedPatch(patches[1]), ...patches.slice(2)]),
      erased('erased-the-first-patch', [erasedPatch(patches[0]), ...patches.slice(1)]),
      erased('erased-all-patches-of-an-entry', [...patches.slice(0, 2), erasedPatch(patches[2]), ...patches.slice(3)]),
      erased('erased-and-a-place-and-extra-are-there', [
        { ...erasedPatch(one), avatar: alice.avatar, proof_location: 'x', extra: { a: 1 } },
      ]),
      erased('erased-the-newest-patch', [...patches.slice(0, 4), erasedPatch(patches[4])]),
      erased('erased-all-and-written-anew', [...patches.slice(0, 4).map((item) => erasedPatch(item)), patches[4]]),
      erased('erased-twice-with-patches-between', [
        erasedPatch(patches[0]),
        ...patches.slice(1, 3),
        erasedPatch(patches[3]),
        patches[4],
      ]),
      erased('erased-the-newest-two', [...patches.slice(0, 3), erasedPatch(patches[3]), erasedPatch(patches[4])]),
      bad('erased-and-the-patch-is-there', [{ ...erasedPatch(one), patch: { a: 1 } }], ['shape']),
      bad('erased-and-the-identity-is-there', [{ ...erasedPatch(one), identity: 'alice' }], ['shape']),
      bad('erased-and-the-signed-text-is-there', [{ ...erasedPatch(one), signature_payload: 'x' }], ['shape']),
      bad('erased-without-a-reason', [erasedPatch(one, { reason: undefined })], ['shape']),
      bad('erased-without-the-key-of-its-identity', [erasedPatch(one, { identity_key: undefined })], ['shape']),
      bad('erased-with-half-a-key', [erasedPatch(one, { identity_key: 'ab'.repeat(16) })], ['shape']),
      bad('erased-with-half-a-record', [erasedPatch(one, { record: 'ab' })], ['shape']),
      vector(
        'erased-with-another-signature',
        [{ ...erasedPatch(patches[0]), signature: mallory.sign('x') }, patches[1]],
        refused(['prev'], ['erased']),
      ),
      good(
        'two-patches-of-one-second',
        patchesOf(alice, [{ patch: { a: 1 } }, { patch: { b: 2 }, created_at: START }]),
      ),
      good('a-patch-from-long-ago', patchesOf(alice, [{ patch: { a: 1 } }, { patch: { b: 2 }, created_at: 1 }])),

      bad('without-its-first-patch', patches.slice(1), ['prev']),
      bad('without-a-patch-in-the-middle', patches.toSpliced(2, 1), ['prev']),
      bad('two-patches-exchanged', [patches[1], patches[0], ...patches.slice(2)], ['prev']),
      bad('a-patch-repeated', [patches[0], patches[0]], ['prev', 'uuid']),
      bad(
        'uuid-used-twice',
        patchesOf(alice, [{ patch: { a: 1 } }, { patch: { b: 2 }, uuid: uuidOf(`patch 0 of ${alice.avatar}`) }]),
        ['uuid'],
      ),
      bad(
        'a-patch-of-somebody-else',
        [...patches, ...patchesOf(mallory, [{ patch: {} }])],
        ['fields', 'canonical_text', 'signature', 'prev'],
      ),
      bad('of-another-avatar-than-expected', [one], ['fields', 'canonical_text', 'signature'], {
        avatar: mallory.avatar,
      }),
      bad('names-another-avatar-than-expected', [{ ...one, avatar: mallory.avatar }], ['avatar'], {
        avatar: alice.avatar,
      }),
      bad(
        'prev-is-the-signature-of-a-link',
        patchesOf(alice, [{ patch: {}, signed: { prev: linksOf(alice, [{}])[0].signature } }]),
        ['prev'],
      ),

      changed('another-patch', { patch: { name: 'Mallory' } }, ['fields', 'canonical_text']),
      changed('one-value-more', { patch: { ...one.patch, more: null } }, ['fields', 'canonical_text']),
      changed('another-platform', { platform: 'minds' }, ['fields', 'canonical_text']),
      changed('another-identity', { identity: 'mallory' }, ['fields', 'canonical_text']),
      changed('another-time', { created_at: 1 }, ['fields', 'canonical_text']),
      changed('another-uuid', { uuid: uuidOf('another') }, ['fields', 'canonical_text']),
      changed('signed-by-another-key', { signature: mallory.sign(one.signature_payload) }, ['signature']),
      changed('created-at-a-text', { created_at: String(START) }, ['shape']),
      changed('patch-a-list', { patch: [] }, ['shape']),
      changed('patch-null', { patch: null }, ['shape']),
      changed('patch-a-text', { patch: '{}' }, ['shape']),
      changed('without-uuid', { uuid: undefined }, ['shape']),
      changed('signed-text-not-json', { signature_payload: 'null' }, ['fields', 'prev']),
      bad('a-patch-that-is-null', [null], ['shape']),

      resigned('action-of-a-link', (text) => text.replace('"action":"kv"', '"action":"create"'), [
        'fields',
        'canonical_text',
      ]),
      resigned(
        'names-like-numbers-in-the-order-of-nobody',
        (text) => text.replace('"b":{"01":3,"1":2,"2":1}', '"b":{"2":1,"1":2,"01":3}'),
        ['canonical_text'],
      ),
      resigned('rewritten-at-the-top-alone', topOnly, ['canonical_text']),
      resigned('rewritten-with-a-blank', (text) => `${rewrittenJson(text)} `, ['canonical_text']),
    ],
  };
}

/** JSON Merge Patches. */
export function mergePatches() {
  /** @type {{ appendix_a: Record<string, any>[], further: Record<string, string>[] }} */
  const { appendix_a: appendix, further } = JSON.parse(
    readFileSync(new URL('../../test/vectors/merge-patch.json', import.meta.url), 'utf8'),
  );
  /** @param {string} id @param {string} target @param {string} patch */
  const vector = (id, target, patch) => ({
    id,
    target_json: target,
    patch_json: patch,
    expected: accepted({ result: canonicalJson(applyMergePatch(JSON.parse(target), JSON.parse(patch))) }),
  });
  return {
    description:
      'JSON Merge Patch: the examples of RFC 7396, appendix A (`rfc-7396-…`), and more. `result` is canonical JSON.',
    vectors: [
      ...appendix.map(({ id, original, patch, result }) => ({
        ...vector(`rfc-7396-${id}`, JSON.stringify(original), JSON.stringify(patch)),
        expected: accepted({ result: canonicalJson(result) }),
      })),
      ...further.map(({ id, original_json, patch_json, result_json }) => ({
        ...vector(id, original_json, patch_json),
        expected: accepted({ result: canonicalJson(JSON.parse(result_json)) }),
      })),
      vector('null-members-of-a-new-object', '{}', '{"a":{"b":null,"c":{"d":null}}}'),
      vector('object-over-a-list', '{"a":[1,2]}', '{"a":{"0":3}}'),
      vector('empty-name', '{"":1}', '{"":{"":null}}'),
      vector('numbers-are-doubles', '{}', '{"a":9007199254740993,"b":1.10,"c":-0}'),
    ],
  };
}
