/** Files that cannot be read or written, or are those of something else. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromPrivateKey } from '@signet/sdk';
import { linkPayload } from '@signet/verify';
import { type StandIn, startStandIn } from '../../sdk/test/support/stand-in.js';
import { runHere } from './terminal.js';

const PRIVATE_KEY = '07'.repeat(32);
const { avatar } = fromPrivateKey(PRIVATE_KEY);
const ISSUED = { uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612', created_at: '1700000000' };
const ENV = { SIGNET_PASSPHRASE: 'a long pass phrase' };
const ABOUT = { needs_proof_location: true, proof_location_forms: [], steps: [], is_available: true };

let folder: string;
let server: StandIn;
const at = (name: string) => path.join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'signet-files-'));
  server = await startStandIn(({ path: asked, body }) => {
    if (asked !== '/v1/proof/payload') {
      return {
        json: { service_name: 'self', platforms: ['github', 'dns'].map((platform) => ({ ...ABOUT, platform })) },
      };
    }
    const { action, platform, identity } = JSON.parse(body) as { action: string; platform: string; identity: string };
    const sign_payload = linkPayload({ action, platform, identity, avatar, prev: null, ...ISSUED });
    return { json: { post_content: { default: 'proof: %SIG_BASE64%' }, sign_payload, ...ISSUED } };
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const signed = (...words: string[]) =>
  runHere(['--server', server.baseUrl, ...words], { HOME: folder, SIGNET_PRIVATE_KEY: PRIVATE_KEY });

it.each<[string, string[]]>([
  ['a key that is read', ['key', 'show']],
  ['a key that is made', ['key', 'new']],
])('%s in a folder, or below a file, is refused in one sentence', async (_what, words) => {
  writeFileSync(at('file'), '');
  const below = await runHere([...words, '--key', at('file/key.json')], ENV);
  const itself = await runHere(['key', 'show', '--key', folder], ENV);

  expect(below.code).toBe(2);
  expect(below.text).toMatch(/^signet: \S+file\/key\.json cannot be (read|written) \(ENOTDIR\)\.\n$/);
  expect(itself).toEqual({ code: 2, text: `signet: ${folder} cannot be read (EISDIR).\n` });
});

it('a draft that cannot be written is refused in one sentence', async () => {
  writeFileSync(at('file'), '');
  const { code, text } = await signed('bind', 'github', 'alice-demo', '--draft', at('file/draft.json'));

  expect(code).toBe(2);
  expect(text).toBe(`signet: ${at('file/draft.json')} cannot be written (EEXIST).\n`);
});

it('a draft takes the place of no other file', async () => {
  writeFileSync(at('thesis.txt'), 'three years of work');
  const { code, text } = await signed('bind', 'github', 'alice-demo', '--draft', at('thesis.txt'));

  expect(readFileSync(at('thesis.txt'), 'utf8')).toBe('three years of work');
  expect(code).toBe(2);
  expect(text).toContain(`There is a file ${at('thesis.txt')} already, which is no draft: name another one.`);
});

it('a draft takes the place of one of the same binding alone', async () => {
  const draft = (platform: string, identity: string) => signed('bind', platform, identity, '--draft', at('draft.json'));
  const first = await draft('github', 'alice-demo');
  const again = await draft('github', 'Alice-Demo');
  const other = await draft('dns', 'alice.example.org');

  expect([first.code, again.code, other.code]).toEqual([0, 0, 2]);
  expect(other.text).toContain('which is the draft of github Alice-Demo: name another one.');
  expect(readFileSync(at('draft.json'), 'utf8')).toContain('Alice-Demo');
});

it('the line to go on with quotes a name that a shell would split', async () => {
  const { text } = await signed('bind', 'github', 'alice-demo', '--draft', at("Alice's draft.json"));

  expect(text).toContain(`signet bind --resume '${folder}/Alice'\\''s draft.json' --location WHERE`);
});

it.each(['[1]', 'null', '5', '{"name":"my project","version":"1.0.0"}'])(
  'a state that holds %s is that of something else, and stays',
  async (json) => {
    writeFileSync(at('package.json'), json);
    const { code, text } = await signed('watch', '--state', at('package.json'));

    expect(readFileSync(at('package.json'), 'utf8')).toBe(json);
    expect(code).toBe(2);
    expect(text).toContain(`${at('package.json')} is not a file that this command has written`);
  },
);

it('what is wrong with a file to look at is said', async () => {
  writeFileSync(at('other.json'), '{}');
  const { code, text } = await signed('look', at('other.json'));

  expect(code).toBe(4);
  expect(text).toBe('signet: The file does not verify: It is not an export: its format is not "signet-export".\n');
});

it('new words are not shown where the other arguments are wrong', async () => {
  const delay = await signed('keys', 'commit', '--delay', '5');
  const name = await signed('keys', 'commit', 'new', 'eip155:me');

  expect(delay.code).toBe(2);
  expect(delay.text).toContain("argument '5' is invalid. It has to be from 24 to 168.");
  expect(name.code).toBe(2);
  expect(name.text).toMatch(/^signet: "eip155:me" is no name of a recovery key: /);
});

it('a wait that no timer holds is refused', async () => {
  const { code, text } = await signed('--timeout', '1e9', 'platforms');

  expect(code).toBe(2);
  expect(text).toContain("argument '1e9' is invalid. It can be 2147483 at most.");
});

it('an output that is full is said in one sentence', () => {
  const command = fileURLToPath(new URL('../bin/signet.mjs', import.meta.url));
  const full = openSync('/dev/full', 'w');
  const env = { ...process.env, SIGNET_PRIVATE_KEY: PRIVATE_KEY };
  const { status, stderr } = spawnSync(process.execPath, [command, 'key', 'show'], {
    env,
    stdio: ['ignore', full, 'pipe'],
  });

  expect({ status, stderr: String(stderr) }).toEqual({
    status: 2,
    stderr: 'signet: The output cannot be written (ENOSPC).\n',
  });
});
