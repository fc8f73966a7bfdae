/** Patches that keys of apps signed, with the key events that say which keys may. */
import { recoveryNamesOf } from '@signet/verify/key-events';
import { ASSERTIONS, backend, edApp, page, passkey, tool, walletApp, webApp } from './app-keys.mjs';
import { bad, changed, eventsOf, good } from './key-events.mjs';
import { accepted, alice, copyOf, mallory, patchesOf, person, refused, START } from './people.mjs';

/**
 * @import { SignedPatch } from '@signet/verify'
 * @import { App } from './app-keys.mjs'
 * @import { Said } from './key-events.mjs'
 * @import { Patch, PatchStep } from './types.d.ts'
 */

const DAY = 86_400;
const paper = person('words on paper');

/**
 * An event that adds the key of an app; of patches, `patches` were there.
 * @param {App} app
 * @param {object} [fields]
 * @param {Partial<Said>} [said]
 */
const add = (app, fields = {}, said = {}) => ({
  action: 'key.add',
  fields: { expires_at: START + 30 * DAY, key: app.name, origin: app.origin, scopes: ['kv'], ...fields },
  also: /** @type {any} */ (app),
  alsoName: app.name,
  after: 0,
  ...said,
});

/** @param {App} app @param {Partial<Said>} [said] */
const revoke = (app, said = {}) => ({
  action: 'key.revoke',
  fields: { key: app.name },
  after: 60,
  ...said,
});

/** @param {App} app @param {Partial<Said>} [said] */
const revokeItself = (app, said = {}) => revoke(app, { by: /** @type {any} */ (app), name: app.name, ...said });

/** A patch by the key of an app. @param {App} app @param {object} [step] @returns {PatchStep} */
const by = (app, step = {}) =>
  /** @type {PatchStep} */ ({
    patch: { by: 'app' },
    sign: app.sign,
    signer: app.name,
    ...step,
  });
const own = /** @type {PatchStep} */ ({ patch: { by: 'alice' } });

/**
 * @param {string} id
 * @param {Said[]} said
 * @param {PatchStep[]} steps
 * @param {string[]} [reasons] where it is refused
 * @param {(patches: Patch[]) => void} [change]
 */
function vector(id, said, steps, reasons, change = () => {}) {
  const patches = copyOf(patchesOf(alice, steps));
  change(patches);
  const expected = reasons
    ? refused(reasons)
    : accepted({ avatar: alice.avatar, entries: entriesOf(/** @type {any} */ (patches)) });
  return { id, events: eventsOf(said.map((one) => ({ patches: 0, ...one }))), patches, expected };
}

/** @param {SignedPatch[]} patches */
function entriesOf(patches) {
  const content = Object.assign({}, ...patches.map(({ patch }) => patch));
  return [{ platform: 'github', identity: 'alice', content }];
}

const next = person('next key of alice');
const succeed = {
  action: 'key.succeed',
  fields: { since_link: null, since_patch: null, successor: next.avatar },
  successor: next,
  after: 60,
};

/** Patches that keys of apps signed. */
export function appPatches() {
  const late = { created_at: START + 30 * DAY };
  return {
    description:
      'Patches of one Avatar as `GET /v1/kv/chain` answers them, some of them signed by keys of apps (`signer`), and the key events as `GET /v1/keys/chain` answers them; both oldest first, and complete.',
    vectors: [
      vector('ed25519', [add(backend)], [own, by(backend)]),
      vector('secp256k1', [add(tool)], [by(tool)]),
      vector('es256', [add(page)], [by(page), own]),
      vector('es256-with-a-high-s', [add(page)], [by(webApp('a page', true))]),
      ...Object.entries(ASSERTIONS).map(([id, { change, isGood }]) =>
        vector(id, [add(passkey('a passkey'))], [by(passkey('a passkey', change))], isGood ? undefined : ['signature']),
      ),
      vector(
        'a-passkey-of-a-key-without-an-origin',
        [add({ ...webApp('a passkey'), origin: null })],
        [by(passkey('a passkey'))],
        ['signature'],
      ),
      vector('in-scope', [add(backend, { scopes: ['kv:dns:example.com', 'kv:github:alice'] })], [by(backend)]),
      vector('out-of-scope', [add(backend, { scopes: ['kv:github:bob'] })], [by(backend)], ['signature']),
      vector(
        'out-of-scope-by-its-platform',
        [add(backend, { scopes: ['kv:minds:alice'] })],
        [by(backend)],
        ['signature'],
      ),
      vector('in-its-last-second', [add(backend)], [by(backend, { created_at: START + 30 * DAY - 1 })]),
      vector('when-it-expires', [add(backend)], [by(backend, late)], ['signature']),
      vector(
        'renewed-before-it-expires',
        [add(backend), add(backend, { expires_at: START + 60 * DAY }, { after: DAY })],
        [by(backend, late)],
      ),
      vector(
        'a-renewal-takes-a-scope-away',
        [add(backend), add(backend, { scopes: ['kv:github:bob'] }, { after: 60, patches: 1 })],
        [by(backend), by(backend)],
        ['signature'],
      ),
      vector('before-it-is-added', [add(backend, {}, { patches: 1 })], [by(backend), own], ['signature']),
      vector('behind-the-patch-that-was-there', [add(backend, {}, { patches: 1 })], [own, by(backend)]),
      vector('what-it-signed-before-it-was-revoked', [add(backend), revoke(backend, { patches: 1 })], [by(backend)]),
      vector(
        'behind-the-revoke',
        [add(backend), revoke(backend, { patches: 1 })],
        [by(backend), by(backend)],
        ['signature'],
      ),
      vector(
        'behind-the-revoke-by-itself',
        [add(backend), revokeItself(backend, { patches: 1 })],
        [by(backend), by(backend)],
        ['signature'],
      ),
      vector(
        'behind-a-succession-that-is-final',
        [add(backend), succeed],
        [by(backend, { created_at: START + 4 * DAY })],
        ['signature'],
      ),
      vector('never-added', [add(backend)], [by(edApp('another program'))], ['signature']),
      vector('no-key-events', [], [by(backend)], ['signature']),
      vector(
        'signed-by-another-key',
        [add(backend)],
        [by(backend, { sign: edApp('another program').sign })],
        ['signature'],
      ),
      vector('signed-by-the-avatar', [add(backend)], [by(backend, { sign: alice.sign })], ['signature']),
      vector('the-key-of-another-algorithm', [add(page)], [by({ ...page, sign: backend.sign })], ['signature']),
      vector(
        'a-signer-that-is-not-signed',
        [add(backend)],
        [by(backend, { signed: { signer: undefined } })],
        ['canonical_text', 'fields'],
      ),
      vector(
        'a-signer-that-was-left-out',
        [add(backend)],
        [by(backend)],
        ['canonical_text', 'signature'],
        ([patch]) => void delete (/** @type {any} */ (patch).signer),
      ),
      vector(
        'another-signer',
        [add(backend), add(tool, {}, { after: 60 })],
        [by(backend)],
        ['canonical_text', 'fields', 'signature'],
        ([patch]) => void Object.assign(/** @type {object} */ (patch), { signer: tool.name }),
      ),
      vector(
        'a-signer-that-is-no-text',
        [add(backend)],
        [by(backend)],
        ['shape'],
        ([patch]) => void Object.assign(/** @type {object} */ (patch), { signer: 1 }),
      ),
      vector(
        'a-signature-in-hex',
        [add(backend)],
        [by(backend)],
        ['signature'],
        ([patch]) =>
          void Object.assign(/** @type {object} */ (patch), {
            signature: `0x${Buffer.from(/** @type {any} */ (patch).signature, 'base64').toString('hex')}`,
          }),
      ),
      vector(
        'key-events-that-do-not-verify',
        [add(backend, {}, { also: /** @type {any} */ (edApp('another program')) })],
        [by(backend)],
        ['signature'],
      ),
    ],
  };
}

const commit = {
  action: 'key.commit',
  fields: { delay_hours: 72, recovery: [recoveryNamesOf(paper.avatar).hash] },
  after: 0,
  links: 0,
};
const small = Buffer.alloc(32);
small[0] = 1;
/** The point of order 1, under which a signature of zeros fits every text for a verifier that is not strict. */
const pointOfSmallOrder = {
  name: `ed25519:0x${small.toString('hex')}`,
  origin: null,
  sign: () => Buffer.concat([small, Buffer.alloc(32)]).toString('base64'),
};
const many = Array.from({ length: 33 }, (_, place) => edApp(`program ${place}`));

/** Scopes of so many bytes together, some of which are no ASCII. @param {number} bytes */
const scopesOf = (bytes) =>
  [`kv:dotbit:${'é'.repeat(250)}`, ...['a', 'b'].map((one) => `kv:dotbit:${one.repeat(250)}`)].concat(
    `kv:dotbit:${'c'.repeat(bytes - 510 - 2 * 260 - 10)}`,
  );

/** Key events about keys of apps, beside those of `keyEvents`. */
export function appKeyEvents() {
  /** @param {string} id @param {object} change */
  const changedAdd = (id, change) => changed(id, change, ['shape'], [add(backend)]);
  /** @param {string} id @param {object} fields */
  const badFields = (id, fields) => changedAdd(id, { fields: { ...add(backend).fields, ...fields } });
  return [
    good('a-key-of-an-app-in-its-last-second', [add(backend)], 30 * DAY - 1),
    good('a-key-of-an-app-that-is-expired', [add(backend)], 30 * DAY),
    good('keys-of-apps-of-each-kind', [add(backend), add(tool), add(page), add(passkey('a passkey'))], 0),
    good('a-key-of-an-app-that-is-revoked', [add(backend), revoke(backend)], 0),
    good('a-key-of-an-app-that-revokes-itself', [add(page), revokeItself(page)], 0),
    good('a-passkey-that-revokes-itself', [add(passkey('a passkey')), revokeItself(passkey('a passkey'))], 0),
    good('a-key-of-an-app-that-a-recovery-key-revokes', [commit, add(backend), revoke(backend, { by: paper })], 0),
    good('a-revoke-while-writes-are-stopped', [add(backend), { action: 'key.freeze', after: 60 }, revoke(backend)], 0),
    good('a-key-of-an-app-of-two-years', [add(backend, { expires_at: START + 730 * DAY })], 0),
    good(
      'as-many-keys-of-apps-as-in-a-day-and-a-freeze-by-a-recovery-key',
      [commit, ...many.slice(0, 17).map((app) => add(app)), { action: 'key.freeze', by: paper, after: 9 }],
      0,
    ),
    bad('a-key-of-an-app-for-too-long', [add(backend, { expires_at: START + 730 * DAY + 1 })], ['rules']),
    bad('a-key-of-an-app-that-had-expired', [add(backend, { expires_at: START })], ['rules']),
    bad(
      'a-key-of-an-app-once-more-behind-its-revoke',
      [add(backend), revoke(backend), add(backend, {}, { after: 60 })],
      ['rules'],
    ),
    bad('a-revoke-of-what-was-not-added', [revoke(backend)], ['rules']),
    bad('a-second-revoke', [add(backend), revoke(backend), revoke(backend)], ['rules']),
    bad(
      'a-key-of-an-app-while-writes-are-stopped',
      [{ action: 'key.freeze', after: 0 }, add(backend, {}, { after: 60 })],
      ['rules'],
    ),
    bad('a-key-of-an-app-that-a-recovery-key-adds', [commit, add(backend, {}, { by: paper })], ['rules']),
    bad(
      'a-revoke-by-another-app',
      [add(backend), add(page), revoke(backend, { by: /** @type {any} */ (page), name: page.name })],
      ['rules'],
    ),
    bad(
      'a-revoke-on-another-origin',
      [
        add(passkey('a passkey')),
        revokeItself(passkey('a passkey', { client: { origin: 'https://app.example.org' }, host: 'app.example.org' })),
      ],
      ['rules'],
    ),
    bad('the-main-key-as-the-key-of-an-app', [add(walletApp(alice))], ['rules']),
    bad('a-recovery-key-as-the-key-of-an-app', [commit, add(walletApp(paper))], ['rules']),
    bad('a-pending-recovery-key-as-the-key-of-an-app', [{ ...commit, links: 2 }, add(walletApp(paper))], ['rules']),
    good(
      'a-key-of-an-app-renewed-where-there-are-thirty-two',
      [...many.slice(0, 32), ...many.slice(0, 1)].map((app, place) => add(app, {}, { after: place === 18 ? DAY : 0 })),
      0,
    ),
    bad('the-key-of-an-app-as-recovery-key', [add(walletApp(paper), {}, { links: 0 }), commit], ['rules']),
    bad(
      'a-thirty-third-key-of-an-app',
      many.map((app, place) => add(app, {}, { after: place === 18 ? DAY : 0 })),
      ['rules'],
    ),
    bad(
      'a-nineteenth-key-of-an-app-in-a-day',
      many.slice(0, 19).map((app) => add(app)),
      ['rules'],
    ),
    bad('the-key-of-an-app-did-not-sign', [add(backend, {}, { also: /** @type {any} */ (page) })], ['cosignature']),
    bad(
      'the-key-of-an-app-signed-the-text-of-another-avatar',
      [
        add(
          backend,
          {},
          {
            also: /** @type {any} */ ({
              sign: (/** @type {string} */ text) => backend.sign(text.replaceAll(alice.avatar, mallory.avatar)),
            }),
          },
        ),
      ],
      ['cosignature'],
    ),
    bad('a-point-of-small-order', [add(pointOfSmallOrder)], ['cosignature']),
    bad(
      'a-cosigner-that-is-not-the-key-that-is-added',
      [add(backend, {}, { also: /** @type {any} */ (page), alsoName: page.name })],
      ['rules'],
    ),
    changed('a-key-of-an-app-without-its-signature', { cosigner: null, cosignature: null }, ['rules'], [add(backend)]),
    badFields('no-scopes', { scopes: [] }),
    badFields('a-scope-that-is-none', { scopes: ['proof'] }),
    badFields('a-scope-without-an-identity', { scopes: ['kv:github:'] }),
    good('scopes-as-long-as-they-may-be', [add(backend, { scopes: scopesOf(1200) })], 0),
    badFields('scopes-of-a-byte-too-many', { scopes: scopesOf(1201) }),
    badFields('a-scope-twice', { scopes: ['kv', 'kv'] }),
    badFields('an-origin-with-a-path', { origin: 'https://app.example.com/' }),
    badFields('an-origin-without-encryption', { origin: 'http://app.example.com' }),
    badFields('an-origin-with-the-usual-port', { origin: 'https://app.example.com:443' }),
    badFields('an-expiry-that-is-no-number', { expires_at: null }),
    badFields('a-key-of-an-unknown-algorithm', { key: `rsa:0x${'1'.repeat(64)}` }),
    badFields('a-key-with-capitals', { key: `ed25519:0x${'A'.repeat(64)}` }),
    badFields('an-uncompressed-key', { key: `es256:0x${'1'.repeat(128)}` }),
  ];
}
