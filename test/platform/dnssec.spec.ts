import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type Demands } from '@signet/sdk';
import { type ExportFile, verifyExport } from '@signet/verify';
import { type DnssecProof, verifyDnssecProof, verifyExportDnssec } from '@signet/verify/dnssec';
import { DataSource } from 'typeorm';
import { runHere } from '../../packages/cli/test/terminal.js';
import { type DnsStandIn, startDnsStandIn } from '../../packages/look/test/support/dns-stand-in.js';
import { resolve, SignedZone, TYPE } from '../../packages/verify/test/support/signed-zones.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { nextCheckOf } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';

const DAY = 86_400;
const YEARS_MS = 10 * 365 * DAY * 1000;
const NAME = 'alice.example.org';
const PLAIN = 'alice.unsigned.org';
const alice = anAvatar('alice');
const numbers: Record<string, number> = TYPE;
const rootKeyText = ({ keyTag, algorithm, digest }: ReturnType<SignedZone['rootKey']>) =>
  `${keyTag} ${algorithm} 2 ${digest}`;

let root: SignedZone;
let zones: Record<string, SignedZone>;
let dns: DnsStandIn;
let app: RunningApp;

beforeEach(async () => {
  const now = Math.floor(Date.now() / 1000);
  const times = { from: now - DAY, until: now + 13 * DAY };
  root = SignedZone.root(times);
  const org = root.child('org', times);
  zones = {
    [NAME]: org.child('example', times),
    [PLAIN]: org.child('unsigned', { ...times, isSigned: false }),
  };
  dns = await startDnsStandIn(({ name, type }) => ({
    zones: resolve(root, name === '.' ? '' : name, numbers[type]!),
  }));
  const env = {
    ...{ REVALIDATION: 'off', DNS_MODE: 'system', DNS_SERVERS: dns.address },
    DNS_ROOT_KEYS: rootKeyText(root.rootKey()),
  };
  app = await startApp({ env });
});
afterEach(async () => {
  await app.close();
  await dns.close();
});

const namesOf = (identity: string) => ({ platform: 'dns', identity, public_key: alice.key.compressed });
const rootKeys = () => [root.rootKey()];

async function payload(action: 'create' | 'delete', identity: string) {
  const { status, body } = await app.post('/v1/proof/payload', { action, ...namesOf(identity) });
  expect(status).toBe(200);
  return body as { sign_payload: string; uuid: string; created_at: string; post_content: { default: string } };
}

/** Both steps, with the record between them. */
async function bind(identity = NAME): Promise<void> {
  const { sign_payload, uuid, created_at, post_content } = await payload('create', identity);
  zones[identity]!.remove(identity, TYPE.TXT).txt(
    identity,
    post_content.default.replace('%SIG_BASE64%', alice.sign(sign_payload)),
  );
  const answer = await app.post('/v1/proof', { action: 'create', ...namesOf(identity), uuid, created_at });
  expect(answer).toMatchObject({ status: 201 });
}

const evidence = async (identity = NAME) =>
  (await app.get(`/v1/proof/evidence?${new URLSearchParams(namesOf(identity))}`)).body as { proof?: DnssecProof };

async function recheck(): Promise<void> {
  const sql = <Row>(text: string, values: unknown[] = []) =>
    app.app.get(DataSource).query(text, values) as Promise<Row[]>;
  await app.app.get(RecheckService).checkDue(await nextCheckOf({ sql }, NAME));
}

/** The export, once the entry of its link is in the log. */
const exported = () => createClient({ baseUrl: app.baseUrl }).export(alice.key.compressed);

describe('a domain whose zone is signed', () => {
  it('is bound with a proof that the zone has signed the record', async () => {
    await bind();

    const { proof } = await evidence();
    const at = Math.floor(Date.now() / 1000);
    expect(verifyDnssecProof(proof!, NAME, { at, rootKeys: rootKeys() })).toMatchObject({
      ...{ ok: true, complete: true, zone: 'example.org' },
    });
  });

  it('keeps the proof of its create at rechecks, also when the keys are others and the zone is not signed', async () => {
    await bind();
    const { proof } = await evidence();
    zones[NAME]!.roll();
    await recheck();
    expect((await evidence()).proof).toEqual(proof);

    zones[NAME]!.options.isSigned = false;
    await recheck();
    expect((await evidence()).proof).toEqual(proof);
  });

  it('is bound anew without the proof of before', async () => {
    await bind();
    zones[NAME]!.options.isSigned = false;
    await bind();

    expect(await evidence()).not.toHaveProperty('proof');
  });

  it('takes the proof with it when it is revoked', async () => {
    await bind();
    const { sign_payload, uuid, created_at } = await payload('delete', NAME);
    const extra = { signature: alice.sign(sign_payload) };
    const sent = { action: 'delete', ...namesOf(NAME), uuid, created_at, extra };
    expect(await app.post('/v1/proof', sent)).toMatchObject({ status: 201 });

    expect(await evidence()).not.toHaveProperty('proof');
  });

  it('is exported with its proof, which holds without a network in ten years', async () => {
    await bind();
    await bind(PLAIN);
    const file = JSON.parse(JSON.stringify(await exported())) as ExportFile;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + YEARS_MS);

    try {
      expect(verifyExport(file)).toMatchObject({ ok: true });
      const [checked, ...others] = verifyExportDnssec(file, { rootKeys: rootKeys() });
      expect(others).toEqual([]);
      expect(checked).toMatchObject({ ok: true, complete: true, zone: 'example.org', binding: { identity: NAME } });
      expect(checked!.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
        ...['shape ok', 'signature ok', 'time ok', 'record ok', 'expected ok', 'evidence ok'],
      ]);
    } finally {
      clock.mockRestore();
    }
  });

  it('has no time without the entry of the log, and proves nothing of another Avatar’s link', async () => {
    await bind();
    const file = await exported();
    const [open] = verifyExportDnssec({ ...file, log: { ...file.log!, proofs: {} } }, { rootKeys: rootKeys() });
    expect(open).toMatchObject({ ok: true, complete: false, at: null });

    const links = file.links.map((link) => ({ ...link, signature_payload: `${link.signature_payload} ` }));
    const [other] = verifyExportDnssec({ ...file, links }, { rootKeys: rootKeys() });
    expect(other!.steps.at(-1)).toMatchObject({ name: 'evidence', state: 'failed' });
  });

  it('shows no binding of another platform, whatever its name', async () => {
    await bind();
    const file = await exported();
    const asWebsite = <Named extends object>(one: Named) => ({ ...one, platform: 'website' });
    const changed = { ...file, links: file.links.map(asWebsite), bindings: file.bindings.map(asWebsite) };
    const [other] = verifyExportDnssec(changed, { rootKeys: rootKeys() });

    expect(other).toMatchObject({ ok: false, binding: { platform: 'website' } });
    expect(other!.steps.find(({ state }) => state === 'failed')).toMatchObject({ name: 'expected' });
  });

  it('rests on the platform for clients that take its signatures, and on nothing for those that do not', async () => {
    await bind();
    const found = async (demand: Demands) => {
      const group = await createClient({ baseUrl: app.baseUrl, demand }).proofs.of(alice.key.compressed);
      return group!.proofs.map(({ resting }) => resting.identity);
    };
    const platform = { rootKeys: rootKeys() };

    expect(await found({ platform })).toEqual(['platform']);
    expect(await found({ log: true })).toEqual(['server']);
    const refused = { code: 'not_shown_here' };
    await expect(found({ here: true })).rejects.toMatchObject(refused);
    await expect(found({ here: true, platform })).rejects.toMatchObject(refused);
    await expect(found({ platform: true })).rejects.toMatchObject(refused);

    await bind(PLAIN);
    await expect(found({ platform })).rejects.toMatchObject({ ...refused, message: expect.stringContaining(PLAIN) });
  });

  it('is taken by the command with --shown-by-platform, which checks what the zone has signed', async () => {
    await bind();
    const home = mkdtempSync(path.join(tmpdir(), 'signet-dnssec-'));
    const run = (...words: string[]) => runHere(['--server', app.baseUrl, ...words], { HOME: home });
    const rootKey = ['--root-key', rootKeyText(root.rootKey())];

    try {
      for (const words of [
        ['proofs', NAME],
        ['exists', 'dns', NAME, alice.key.compressed],
      ]) {
        expect(await run(...words)).toMatchObject({ code: 0, text: expect.stringContaining('server') });
        const shown = await run(...words, '--shown-by-platform', ...rootKey);
        expect(shown).toMatchObject({ code: 0, text: expect.stringContaining('platform') });
        for (const [code, ...options] of [
          [1, '--shown-by-platform'],
          [1, '--shown-by-platform', '--shown-here', ...rootKey],
          [2, ...rootKey],
          [2, '--shown-by-platform', '--root-key', 'x'],
        ]) {
          expect(await run(...words, ...(options as string[]))).toMatchObject({ code });
        }
        expect((await run(...words, '--shown-by-platform')).text).toContain('Rests on the word of the server');
      }
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('is checked by signet verify, which says on what each binding rests', async () => {
    await bind();
    await bind(PLAIN);
    const good = await exported();
    const changed = structuredClone(good);
    const proof = changed.bindings.find(({ identity }) => identity === NAME)!.evidence!.proof as DnssecProof;
    proof.chain = proof.chain.replace(/.(?=[^]{60}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    const unknown = structuredClone(good);
    unknown.bindings.find(({ identity }) => identity === NAME)!.evidence!.proof = { type: 'other' };
    const folder = mkdtempSync(path.join(tmpdir(), 'signet-dnssec-'));
    const run = (file: object, ...more: string[]) => {
      const name = path.join(folder, 'export.json');
      writeFileSync(name, JSON.stringify(file));
      return runHere(['verify', name, '--json', ...more], { HOME: folder });
    };
    const rootKey = ['--root-key', rootKeyText(root.rootKey())];

    try {
      const checked = await run(good, ...rootKey);
      expect(checked).toMatchObject({ code: 0 });
      const { bindings } = JSON.parse(checked.text.split('\n').find((line) => line.startsWith('{'))!) as {
        bindings: { identity: string; resting: object }[];
      };
      expect(Object.fromEntries(bindings.map(({ identity, resting }) => [identity, resting]))).toEqual({
        [NAME]: { identity: 'platform', rel: null },
        [PLAIN]: { identity: 'server', rel: null },
      });
      expect((await run(changed, ...rootKey)).code).toBe(1);
      expect((await run(good)).code).toBe(1);
      expect((await run(unknown, ...rootKey)).text).toContain('is of a kind that this version does not know');
      expect((await run(good, '--root-key', 'x')).code).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a domain whose zone is not signed', () => {
  it('is bound as before, by the word of the resolver', async () => {
    await bind(PLAIN);

    expect(await evidence(PLAIN)).toMatchObject({ url: `dns:${PLAIN}?type=TXT` });
    expect(await evidence(PLAIN)).not.toHaveProperty('proof');
  });
});
