import { keysNamed } from '../chains.js';
import { fileOf, vectorOf } from '../support/published-vectors.js';
import { AtprotoAccount } from '../support/atproto-account.js';
import {
  type AtprotoProof,
  MAX_CAR_BYTES,
  verifyAtprotoProof,
  verifyExportProofs,
  verifyPlcOperations,
} from '../../src/atproto/atproto.js';
import {
  acceptKeyEvent,
  KEY_REFUSALS,
  KEY_RULES,
  KEY_TABLE,
  keyEventPayload,
  keyStateAt,
  MAIN_KEY,
  NO_KEY_EVENTS,
  patchSignersOf,
  recoveryNamesOf,
  type SignedKeyEvent,
  verifyHolds,
  verifyKeyChain,
  verifyKeyEvent,
} from '../../src/key-events/key-events.js';
import {
  decodeBase64,
  encodeBase64,
  encodeHex,
  type ExportFile,
  type SignedPatch,
  verifyPatchChain,
} from '../../src/index.js';
import { appKeyOf, keyOfPasskey, PASSKEY_PRF_INPUT, signPersonal } from '../../src/sign.js';
import {
  describeMalformedBase64,
  describeMalformedSignature,
  explainMistake,
  isBareHex,
  signatureAsBase64,
} from '../../src/signature-help.js';

const alice = keysNamed('alice');
const bob = keysNamed('bob');
/** As `GET /v1/keys` answers them: Alice names two recovery keys, and it is due. */
const { events, now } = vectorOf<{ events: SignedKeyEvent[]; now: number }>(
  'key-events.json',
  'a-commit-when-it-is-due',
);
/** What `client.export` answers, of somebody without an account on Bluesky. */
const exported = JSON.parse(fileOf('exports/full.json')) as ExportFile;
/** The key of an app was added, and has signed a patch. */
const app = vectorOf<{ events: SignedKeyEvent[]; patches: SignedPatch[] }>('app-patches.json', 'ed25519');

const POST = { collection: 'app.bsky.feed.post', rkey: '3lprcc55bb222' };
let account: AtprotoAccount;
/** The proof that a server keeps of a post: `evidence.proof` of a binding. */
let proof: AtprotoProof;

beforeAll(async () => {
  account = await AtprotoAccount.create();
  await account.put(POST.collection, POST.rkey, { $type: POST.collection, text: 'A post.' });
  const car = encodeBase64(await account.carOf(POST.collection, POST.rkey));
  proof = { type: 'atproto', car, operations: account.operations };
});

describe('@signet/verify/atproto', () => {
  it('verifyAtprotoProof', async () => {
    const { ok, record } = await verifyAtprotoProof(proof, { did: account.did, ...POST });
    expect(ok).toBe(true);
    expect(record).toMatchObject({ text: 'A post.' });
  });

  it('verifyPlcOperations', async () => {
    const { ok } = await verifyPlcOperations(account.did, account.operations);
    expect(ok).toBe(true);
  });

  it('verifyExportProofs', async () => {
    const results = await verifyExportProofs(exported);
    expect(results).toEqual([]);
  });

  it('MAX_CAR_BYTES', () => {
    expect(decodeBase64(proof.car)!.length < MAX_CAR_BYTES).toBe(true);
  });
});

describe('@signet/verify/key-events', () => {
  it('verifyKeyChain', () => {
    const { ok, state } = verifyKeyChain(events, { avatar: alice.avatar });
    expect(ok).toBe(true);
    expect(state.pendingCommit).not.toBe(null);
  });

  it('verifyKeyEvent', () => {
    expect(verifyKeyEvent(events[0]!, { avatar: alice.avatar }).ok).toBe(true);
    expect(verifyKeyEvent(events[0]!, { avatar: bob.avatar }).ok).toBe(false);
  });

  it('keyStateAt', () => {
    const { committed, isFrozen } = keyStateAt(events, now);
    expect(committed?.recovery.length).toBe(2);
    expect(isFrozen).toBe(false);
  });

  it('acceptKeyEvent', () => {
    const outcome = acceptKeyEvent(NO_KEY_EVENTS, events[0]!);
    expect(outcome.refusal).toBe(null);
  });

  it('verifyHolds', () => {
    const { ok } = verifyHolds(events, { links: [1718000001, 1718000002], patches: [1718000003], now });
    expect(ok).toBe(true);
  });

  it('patchSignersOf', () => {
    const { ok } = verifyPatchChain(app.patches, { signers: patchSignersOf(app.events) });
    expect(ok).toBe(true);
  });

  it('recoveryNamesOf', () => {
    const { hash, address } = recoveryNamesOf(bob.avatar);
    expect(hash.startsWith('key:')).toBe(true);
    expect(address).toBe(`eip155:${bob.address.toLowerCase()}`);
  });

  it('keyEventPayload', () => {
    const uuid = '909353ef-a9bb-4b4b-be79-a1e4eb82bd57';
    const freeze = {
      action: 'key.freeze',
      avatar: alice.avatar,
      created_at: now,
      fields: {},
      prev: null,
      uuid,
    } as const;
    const text = keyEventPayload(freeze);
    expect(JSON.parse(text)).toMatchObject({ action: 'key.freeze', prev: null });
  });

  it('NO_KEY_EVENTS', () => {
    expect(keyStateAt([], now)).toEqual(NO_KEY_EVENTS);
  });

  it('MAIN_KEY', () => {
    expect(events[0]?.signer).toBe(MAIN_KEY);
  });

  it('KEY_RULES', () => {
    expect(KEY_RULES.delayHours).toEqual({ least: 24, usual: 72, most: 168 });
  });

  it('KEY_TABLE', () => {
    expect(KEY_TABLE.map(({ action }) => action)).toContain('key.freeze');
  });

  it('KEY_REFUSALS', () => {
    expect(Object.keys(KEY_REFUSALS)).toContain('avatar_succeeded');
  });
});

describe('@signet/verify/sign', () => {
  it('appKeyOf', () => {
    const { key, sign } = appKeyOf('ed25519', new Uint8Array(32).fill(1));
    expect(key.startsWith('ed25519:0x')).toBe(true);
    expect(decodeBase64(sign('the text of a patch'))?.length).toBe(64);
  });

  it('keyOfPasskey', () => {
    // const { first } = credential.getClientExtensionResults().prf.results;
    const first = new Uint8Array(32).fill(1);
    const privateKey = keyOfPasskey(first);
    expect(privateKey.length).toBe(32);
  });

  it('PASSKEY_PRF_INPUT', () => {
    const extensions = { prf: { eval: { first: new TextEncoder().encode(PASSKEY_PRF_INPUT) } } };
    expect(extensions.prf.eval.first.length).toBe(20);
  });
});

describe('@signet/verify/signature-help', () => {
  it('explainMistake', () => {
    const signature = decodeBase64(signPersonal('hello\n', alice.privateKey))!;
    const mistake = explainMistake('hello', signature, (key) => key === alice.avatar);
    expect(mistake).toBe('the text with a line break behind it');
  });

  it('signatureAsBase64', () => {
    const hex = `0x${encodeHex(decodeBase64(alice.sign('hello'))!)}`;
    expect(signatureAsBase64(hex)).toBe(alice.sign('hello'));
  });

  it('isBareHex', () => {
    expect(isBareHex('00'.repeat(65))).toBe(true);
    expect(isBareHex(alice.sign('hello'))).toBe(false);
  });

  it('describeMalformedSignature', () => {
    expect(typeof describeMalformedSignature('0x00')).toBe('string');
  });

  it('describeMalformedBase64', () => {
    expect(typeof describeMalformedBase64('AQ?')).toBe('string');
  });
});
