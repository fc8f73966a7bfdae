/**
 * What the rules must say, as plain functions: the same list runs in Node (verify.spec.ts) and in a browser
 * (browser-entry.ts). A case throws if the rules say otherwise.
 */
import { identityKeyText } from '../src/internal/chains.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import * as badge from '../src/badge.js';
import * as rules from '../src/index.js';
import { utf8 } from '../src/internal/internal.js';
import { rebuildableMessages, writeProofDocument, namesAvatar, readProofDocument } from '../src/internal/signatures.js';
import { chainOf, keysNamed, patchesOf } from './chains.js';
import { dataItemCases } from './data-item-cases.js';
import { equal, failsAt } from './expectations.js';
import { exportCases } from './export-cases.js';

/** The shared vectors by file name. */
export interface Vectors {
  [file: string]: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- each file has a shape of its own
}

export interface Case {
  name: string;
  run: () => void | Promise<void>;
}

const alice = keysNamed('alice');
const mallory = keysNamed('mallory');

/** All cases. */
export function casesOf(vectors: Vectors): Case[] {
  return [
    ...textCases(vectors),
    ...keyCases(vectors),
    ...wycheproofCases(vectors),
    ...mergeCases(vectors),
    ...linkCases(),
    ...chainCases(),
    ...patchCases(),
    ...walletCases(),
    ...otherCases(),
    ...exportCases(),
    ...dataItemCases(vectors),
  ];
}

/** What docs/design/decisions.md 2 says where the vectors leave it open. */
const LEFT_OPEN: { [form: string]: boolean } = {
  '64-bytes': true,
  'eip-2098': true,
  'high-s-twin': true,
  'url-safe-base64': false,
};

const CURVES = [rules.nobleCurves, badge.smallCurves];

function textCases(vectors: Vectors): Case[] {
  const signed = ['proof-links.json', 'kv-links.json', 'personal-sign.json', 'signature-mutations.json'].flatMap(
    (file) => vectors[file].records.map((record: { id: string }) => ({ ...record, file })),
  );
  return signed.map((record) => ({
    name: `${record.file} ${record.id} is judged as the file says`,
    run: () => {
      const text = record.payload ?? record.message;
      const expected = record.expected?.verifies ?? LEFT_OPEN[record.id.slice(record.id.indexOf('/') + 1)] ?? true;
      const bytes = rules.decodeBase64(record.signature);
      for (const curves of CURVES) {
        equal(bytes !== null && rules.isPersonalSignature(text, bytes, record.public_key, { curves }), expected);
      }
      if (record.wallet_signature && record.platform === 'ethereum') {
        const signer = rules.recoverPersonalSigner(text, rules.decodeBase64(record.wallet_signature)!);
        equal(rules.addressOfKey(signer!), record.wallet_address.toLowerCase());
      }
    },
  }));
}

function keyCases(vectors: Vectors): Case[] {
  const { pairs, not_keys } = vectors['public-keys.json'];
  return [
    ...pairs.map((pair: { compressed: string; uncompressed: string; address: string }) => ({
      name: `the key ${pair.compressed} has two spellings and one address`,
      run: () => {
        const { compressed, uncompressed } = pair;
        for (const curves of CURVES) {
          equal(rules.readAvatarKey(compressed, { curves }), { compressed, uncompressed });
          equal(rules.readAvatarKey(uncompressed.toUpperCase().replace('0X', '0x'), { curves }), {
            compressed,
            uncompressed,
          });
        }
        equal(rules.addressOfKey(compressed), pair.address.toLowerCase());
      },
    })),
    ...not_keys.map(({ text, why }: { text: string; why: string }) => ({
      name: `a text is not a key: ${why}`,
      run: () => {
        for (const curves of CURVES) equal(rules.findAvatarKey(text, { curves }), null);
      },
    })),
  ];
}

interface WycheproofTest {
  tcId: number;
  msg: string;
  sig: string;
  result: string;
}

/** r and s concatenated. The DER files are judged by test/crypto/wycheproof.spec.ts, on all curves. */
function wycheproofCases(vectors: Vectors): Case[] {
  const { testGroups } = vectors['wycheproof/ecdsa_secp256k1_sha256_p1363_test.json'];
  return testGroups.map((group: { publicKey: { uncompressed: string }; tests: WycheproofTest[] }, index: number) => ({
    name: `Wycheproof group ${index} (${group.tests.length} signatures) is judged as stated`,
    run: () => {
      const curve = rules.nobleCurves.secp256k1;
      const key = curve.parsePublicKey(rules.decodeHex(group.publicKey.uncompressed)!)!.compressed;
      const wrong = group.tests.filter(({ msg, sig, result }) => {
        const rs = rules.decodeHex(sig)!;
        return verifiesByRecovery(sha256(rules.decodeHex(msg)!), rs, key) !== (result === 'valid');
      });
      equal(
        wrong.map(({ tcId }) => tcId),
        [],
      );
    },
  }));
}

function verifiesByRecovery(digest: Uint8Array, rs: Uint8Array, key: Uint8Array): boolean {
  if (rs.length !== 64 || !rules.parseSignature(Uint8Array.of(...rs, 0))) return false;
  const isKey = (found: Uint8Array | null) => found !== null && rules.encodeHex(found) === rules.encodeHex(key);
  return ([0, 1, 2, 3] as const).some((id) => isKey(rules.nobleCurves.secp256k1.recover(digest, rs, id)));
}

function mergeCases(vectors: Vectors): Case[] {
  const { appendix_a, further } = vectors['merge-patch.json'];
  return [
    ...appendix_a.map(({ id, original, patch, result }: Record<string, unknown>) => ({
      name: `RFC 7396 ${String(id)} merges`,
      run: () => equal(rules.canonicalJson(rules.applyMergePatch(original, patch)), rules.canonicalJson(result)),
    })),
    ...further.map(({ id, original_json, patch_json, result_json }: Record<string, string>) => ({
      name: `the merge ${id} comes out`,
      run: () => {
        const merged = rules.applyMergePatch(JSON.parse(original_json!), JSON.parse(patch_json!));
        equal(rules.canonicalJson(merged), rules.canonicalJson(JSON.parse(result_json!)));
      },
    })),
  ];
}

/** Every field of a link with another value, and the step that has to see it. */
const CHANGES: [keyof rules.SignedLink, unknown, string][] = [
  ['avatar', mallory.avatar, 'avatar'],
  ['action', 'delete', 'fields'],
  ['action', 'add', 'shape'],
  ['platform', 'solana', 'fields'],
  ['identity', mallory.address, 'fields'],
  ['created_at', '1718000001', 'fields'],
  ['uuid', '00000000-0000-4000-8000-000000000000', 'fields'],
  ['signature', mallory.sign('another text'), 'signature'],
  ['signature', 'AAAA', 'signature'],
  ['signature', '', 'signature'],
  ['signature_payload', '[', 'fields'],
  ['signature_payload', '{}', 'fields'],
  ['extra', {}, 'wallet_signature'],
  ['extra', { wallet_signature: mallory.sign('another text') }, 'wallet_signature'],
];

function linkCases(): Case[] {
  const [link] = chainOf(alice, 1);
  const text = link!.signature_payload;
  return [
    {
      name: 'a link verifies, with every step',
      run: () => {
        const { ok, complete, steps } = rules.verifyLink(link!, { avatar: alice.avatar, previous: null });
        equal({ ok, complete }, { ok: true, complete: true });
        equal(
          steps.map(({ name }) => name),
          ['shape', 'avatar', 'fields', 'canonical_text', 'signature', 'wallet_signature', 'prev'],
        );
        equal(badge.verifyLink(link!, { previous: null }).complete, true);
      },
    },
    ...CHANGES.map(([field, value, step]) => ({
      name: `a link with ${field} ${JSON.stringify(value).slice(0, 40)} fails at ${step}`,
      run: () => {
        const changed = { ...link!, [field]: value } as rules.SignedLink;
        failsAt(rules.verifyLink(changed, { avatar: alice.avatar }), step);
        failsAt(badge.verifyLink(changed, { avatar: alice.avatar }), step);
      },
    })),
    ...Object.keys(link!).map((field) => ({
      name: `a link without ${field} verifies only if that field is not needed`,
      run: () => {
        const rest = Object.fromEntries(Object.entries(link!).filter(([name]) => name !== field));
        const { ok } = rules.verifyLink(rest as unknown as rules.SignedLink);
        equal(ok, field === 'avatar' || field === 'proof_location');
      },
    })),
    {
      name: 'a link whose signed text has a space more is not canonical',
      run: () => {
        const spaced = text.replace(',"uuid"', ', "uuid"');
        failsAt(rules.verifyLink({ ...link!, signature_payload: spaced }), 'canonical_text');
        // Even when the Avatar signed that text.
        failsAt(
          rules.verifyLink({ ...link!, signature_payload: spaced, signature: alice.sign(spaced) }),
          'canonical_text',
        );
      },
    },
    {
      name: 'a link that says more than its fields in its signed text is refused',
      run: () => {
        const more = rules.canonicalJson({ ...JSON.parse(text), admin: true });
        failsAt(rules.verifyLink({ ...link!, signature_payload: more, signature: alice.sign(more) }), 'canonical_text');
      },
    },
    {
      name: 'one changed byte of the signature or of the signed text is seen, wherever it is',
      run: () => {
        for (let at = 0; at < text.length; at += 7) {
          const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
          equal(rules.verifyLink({ ...link!, signature_payload: changed }).ok, false);
        }
        const bytes = rules.decodeBase64(link!.signature)!;
        for (let at = 0; at < bytes.length; at += 8) {
          const changed = Uint8Array.from(bytes);
          changed[at]! ^= 1;
          equal(rules.verifyLink({ ...link!, signature: rules.encodeBase64(changed) }).ok, false);
        }
      },
    },
    {
      name: 'what is not a link at all is refused without an exception',
      run: () => {
        const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
        for (const junk of [null, undefined, 1, 'x', [], {}, { ...link, created_at: 1 }, { ...link, identity: deep }]) {
          equal(rules.verifyLink(junk as never).ok, false);
        }
        failsAt(rules.verifyLink({ ...link!, signature_payload: '['.repeat(50_000) }), 'fields');
        failsAt(rules.verifyLink({ ...link!, identity: '\ud800' }), 'fields');
      },
    },
    {
      name: 'a link on a platform with posts says that the post was not checked here',
      run: () => {
        const [post] = chainOf(alice, 1, { platform: 'github' });
        const { ok, complete, steps } = rules.verifyLink(post!);
        equal({ ok, complete }, { ok: true, complete: false });
        equal(steps.at(-1)!.name, 'post');
      },
    },
  ];
}

/** What stands in place of a link. */
function erased(link: rules.SignedLink): rules.SignedLink {
  const erased = {
    at: 1_800_000_000,
    identity_key: identityKeyText(link),
    reason: 'order 12',
    record: 'ab'.repeat(32),
  };
  return { ...link, identity: '', proof_location: '', signature_payload: '', extra: {}, erased };
}

function chainCases(): Case[] {
  const links = chainOf(alice, 6);
  const stranger = chainOf(mallory, 2);
  const broken: [string, rules.SignedLink[], string][] = [
    ['without its first link', links.slice(1), 'prev'],
    ['without a link in the middle', [...links.slice(0, 2), ...links.slice(3)], 'prev'],
    ['with two links exchanged', [links[0]!, links[2]!, links[1]!, ...links.slice(3)], 'prev'],
    ['with a link repeated', [...links.slice(0, 3), links[2]!, ...links.slice(3)], 'prev'],
    ['with a link of somebody else', [...links, stranger[1]!], 'avatar'],
    ['that is followed by the chain of somebody else', [...links, ...stranger], 'avatar'],
    ['in reverse order', [...links].reverse(), 'prev'],
    ['that forks', [links[0]!, ...chainOf(alice, 2, { after: links[0]! }), links[1]!], 'prev'],
    ['that deletes what was never bound', chainOf(alice, 1, { action: 'delete' }), 'binding'],
    ['with a uuid used twice', [links[0]!, ...chainOf(alice, 1, { after: links[0]!, uuid: links[0]!.uuid })], 'uuid'],
  ];
  return [
    {
      name: 'a chain verifies, and says what is bound at its end',
      run: () => {
        const { ok, complete, avatar, links: all, bindings } = rules.verifyChain(links, { avatar: alice.avatar });
        equal(
          { ok, complete, avatar, count: all.length },
          { ok: true, complete: true, avatar: alice.avatar, count: 6 },
        );
        // Both wallets were bound, revoked and bound again.
        equal(
          bindings.map(({ uuid }) => uuid),
          [links[3]!.uuid, links[5]!.uuid],
        );
        equal(badge.verifyChain(links).complete, true);
      },
    },
    {
      name: 'the end of a chain verifies behind the link before it, and not as a beginning',
      run: () => {
        equal(rules.verifyChain(links.slice(3), { after: links[2]! }).ok, true);
        equal(rules.verifyChain(links.slice(3)).ok, false);
      },
    },
    {
      name: 'an erased link leaves nothing bound of its identity, be it a create or a delete',
      run: () => {
        const again = chainOf(alice, 1, { after: links[1]! })[0]!;
        for (const last of [again, links[2]!]) {
          const { bindings } = rules.verifyChain([links[0]!, links[1]!, erased(last)]);
          equal(
            bindings.map(({ uuid }) => uuid),
            [links[1]!.uuid],
          );
        }
      },
    },
    {
      name: 'a delete behind an erased create is not checkable, and a second one fails',
      run: () => {
        const chain = [erased(links[0]!), links[1]!, links[2]!];
        const [second] = chainOf(alice, 1, { after: links[2]!, action: 'delete' });
        equal(rules.verifyChain(chain).ok, true);
        failsAt(rules.verifyChain([...chain, second!]), 'binding');
      },
    },
    { name: 'an empty chain verifies', run: () => equal(rules.verifyChain([]).ok, true) },
    {
      name: 'a chain of another Avatar than expected fails',
      run: () => failsAt(rules.verifyChain(links, { avatar: mallory.avatar }), 'avatar'),
    },
    ...broken.map(([how, chain, step]) => ({
      name: `a chain ${how} fails at ${step}`,
      run: () => {
        failsAt(rules.verifyChain(chain), step);
        failsAt(badge.verifyChain(chain), step);
      },
    })),
  ];
}

function patchCases(): Case[] {
  const patches = patchesOf(alice, [{ name: 'Alice', links: [1, 2] }, { name: null }, { ['__proto__']: { x: 1 } }]);
  const changes: [keyof rules.SignedPatch, unknown, string][] = [
    ['patch', { name: 'Mallory' }, 'fields'],
    ['patch', [], 'shape'],
    ['platform', 'github', 'fields'],
    ['identity', 'mallory', 'fields'],
    ['created_at', 1, 'fields'],
    ['created_at', '1718000000', 'shape'],
    ['uuid', '00000000-0000-4000-8000-000000000000', 'fields'],
    ['signature', mallory.sign('x'), 'signature'],
    ['signature_payload', 'null', 'fields'],
  ];
  return [
    {
      name: 'a chain of patches verifies and adds up',
      run: () => {
        const { ok, complete, entries } = rules.verifyPatchChain(patches, { avatar: alice.avatar });
        equal({ ok, complete }, { ok: true, complete: true });
        equal(
          entries.map(({ content }) => rules.canonicalJson(content)),
          ['{"__proto__":{"x":1},"links":[1,2]}'],
        );
      },
    },
    ...changes.map(([field, value, step]) => ({
      name: `a patch with ${field} ${JSON.stringify(value).slice(0, 30)} fails at ${step}`,
      run: () => failsAt(rules.verifyPatch({ ...patches[0]!, [field]: value } as rules.SignedPatch), step),
    })),
    {
      name: 'a chain of patches that is cut or reordered fails at prev, and adds up to nothing',
      run: () => {
        for (const chain of [patches.slice(1), [patches[0]!, patches[2]!], [...patches].reverse()]) {
          failsAt(rules.verifyPatchChain(chain), 'prev');
          equal(rules.verifyPatchChain(chain).entries, []);
        }
      },
    },
    {
      name: 'a repeated patch fails at prev and at uuid',
      run: () => {
        const { steps } = rules.verifyPatchChain([patches[0]!, patches[0]!]);
        equal(
          steps.map(({ name }) => name),
          ['prev', 'uuid'],
        );
      },
    },
  ];
}

function walletCases(): Case[] {
  const text = '{"zoë":1}';
  const key = ed25519.getPublicKey(alice.privateKey);
  const identity = rules.encodeBase58(key);
  const sign = (message: Uint8Array) => rules.encodeBase58(ed25519.sign(message, alice.privateKey));
  const claim = (extra: Record<string, unknown>) => ({ platform: 'solana', identity, text, extra });
  return [
    {
      name: 'a Solana wallet may sign the text or any of its known wrappers, in three spellings',
      run: () => {
        for (const message of rebuildableMessages(utf8(text), key)) {
          const bytes = rules.decodeBase58(sign(message))!;
          for (const wallet_signature of [sign(message), rules.encodeBase64(bytes), rules.encodeHex(bytes)]) {
            equal(rules.verifyWallet(claim({ wallet_signature })).state, 'ok');
          }
        }
        equal(rules.verifyWallet(claim({ wallet_signature: sign(utf8(`${text} `)) })).state, 'failed');
      },
    },
    {
      name: 'a Solana message for a site verifies with the message, and not without it or with another text',
      run: () => {
        const [, zero] = rebuildableMessages(utf8(text), key);
        const message = Uint8Array.from(zero!);
        message.fill(7, 17, 49);
        const wallet_message = rules.encodeBase64(message);
        const wallet_signature = sign(message);
        equal(rules.verifyWallet(claim({ wallet_signature, wallet_message })).state, 'ok');
        equal(rules.verifyWallet(claim({ wallet_signature })).state, 'failed');
        equal(rules.verifyWallet({ ...claim({ wallet_signature, wallet_message }), text: '{}' }).state, 'failed');
      },
    },
    {
      name: 'the signature of a contract wallet is not checkable, never failed',
      run: () => {
        const wallet_signature = rules.encodeBase64(new Uint8Array(200).fill(1));
        const extra = { wallet_signature, chain_id: 1, block_number: 24_000_000 };
        const step = rules.verifyWallet({ platform: 'ethereum', identity: alice.address, text, extra });
        equal(step.state, 'not_checkable');
        equal(step.detail.includes('(chain 1, block 24000000)'), true);
        const signed = '{"block_number":23000000,"chain_id":1}';
        const asked = rules.verifyWallet({ platform: 'ethereum', identity: alice.address, text: signed, extra });
        equal(asked.state, 'not_checkable');
        equal(
          asked.detail.includes('The Avatar signed that this is a contract wallet on chain 1, from block 23000000'),
          true,
        );
      },
    },
    {
      name: 'an ethereum wallet signs in Base64 or hex, with any v, or in the compact form',
      run: () => {
        const bytes = rules.decodeBase64(alice.sign(text))!;
        const low = Uint8Array.from(bytes);
        low[64]! -= 27;
        const compact = bytes.slice(0, 64);
        compact[32]! |= low[64]! << 7;
        for (const form of [bytes, low, compact]) {
          for (const wallet_signature of [rules.encodeBase64(form), `0x${rules.encodeHex(form)}`]) {
            const extra = { wallet_signature };
            const identity = alice.address;
            equal(rules.verifyWallet({ platform: 'ethereum', identity, text, extra }).state, 'ok');
          }
        }
      },
    },
  ];
}

function otherCases(): Case[] {
  const claim = { payload: 'signed', avatar: alice.avatar };
  const signature = alice.sign('signed');
  return [
    {
      name: 'a signature is found in a post, whatever stands around it',
      run: () => {
        const folded = signature.match(/.{1,30}/g)!.join('\n');
        for (const text of [signature, `Sig: ${signature}\nhello`, `**${signature.replace(/=+$/, '')}**`, folded]) {
          equal(rules.findPostedSignature(text, claim), {
            found: true,
            signature,
            at: text.indexOf(signature.slice(0, 20)),
          });
        }
        equal(rules.findPostedSignature('nothing', claim).found, false);
        equal(rules.findPostedSignature(`https://a.example/${signature}`, claim).found, false);
        equal(rules.findPostedSignature(mallory.sign('signed'), claim).found, false);
        equal(rules.findPostedSignature(`${signature}${' '.repeat(70_000)}`, claim).found, false);
      },
    },
    {
      name: 'a signature is found in a proof document, also where JSON wrote / as \\/',
      run: () => {
        const fields = { avatar: alice.avatar, identity: 'a', sign_payload: 'signed', created_at: '1', uuid: 'u' };
        const text = writeProofDocument(fields, 'github_username', 'hello').replace('%SIG_BASE64%', signature);
        equal(rules.findDocumentSignature(text.replaceAll('/', '\\/'), claim).found, true);
        equal(namesAvatar(readProofDocument(text), { compressed: alice.avatar }), true);
      },
    },
    {
      name: 'archived documents of a chain verify, and one changed byte does not',
      run: () => {
        const links = chainOf(alice, 3).map((link) => ({ ...link, proof_location: '' }));
        const texts = links.map((link, index) => {
          const before = links[index - 1];
          const predecessor = before ? { uuid: before.uuid, archive_id: `id-${index - 1}` } : null;
          return { id: `id-${index}`, text: rules.archiveDocument(link as Required<rules.SignedLink>, predecessor) };
        });
        equal(
          rules.verifyArchiveDocuments(texts).map(({ ok }) => ok),
          [true, true, true],
        );
        const other = texts[1]!.text.replace('"action":"create"', '"action":"delete"');
        equal(
          rules.verifyArchiveDocuments([texts[0]!, { id: 'id-1', text: other }]).map(({ ok }) => ok),
          [true, false],
        );
        equal(rules.verifyArchiveDocuments([{ id: 'x', text: '[]' }])[0]!.ok, false);
      },
    },
    {
      name: 'a webhook verifies with its secret, in time, and with its body only',
      run: () => {
        const secret = rules.webhookSecret(new Uint8Array(32).fill(5));
        const message = { id: 'msg_1', timestamp: '1718000000', body: '{"type":"proof.bound"}' };
        const headers = {
          'Webhook-Id': message.id,
          'webhook-timestamp': message.timestamp,
          'webhook-signature': `v1,AAAA ${rules.webhookSignature(message, [secret])}`,
        };
        equal(rules.verifyWebhook(secret, headers, message.body, { now: 1_718_000_100 }).complete, true);
        failsAt(rules.verifyWebhook(secret, headers, `${message.body} `, { now: 1_718_000_100 }), 'signature');
        failsAt(rules.verifyWebhook(secret, headers, message.body, { now: 1_718_000_301 }), 'time');
        failsAt(rules.verifyWebhook(secret, {}, message.body, { now: 1_718_000_100 }), 'headers');
        failsAt(rules.verifyWebhook('whsec_x', headers, message.body, { now: 1_718_000_100 }), 'signature');
        equal(rules.verifyWebhook(secret, headers, message.body, { now: 2e9, toleranceSeconds: null }).ok, true);
      },
    },
  ];
}
