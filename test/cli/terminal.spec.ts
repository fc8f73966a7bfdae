import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { itUnless } from '../../packages/verify/test/support/unless.js';
import { type Gist, showGists } from '../rechecks/bound-gist.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { lackOf } from '../support/lacks.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { atTerminal, runHere } from '../../packages/cli/test/terminal.js';

const PASSPHRASE = 'correct horse battery';
/** The words of Hardhat and Foundry, whose first account everybody knows. */
const KNOWN_WORDS = 'test test test test test test test test test test test junk';
const KNOWN_ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/signet.mjs', import.meta.url));

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'signet-terminal-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
const fileNamed = (name: string) => path.join(home, name);

describe('at a terminal, a key', () => {
  it('is made after the pass phrase was typed twice, unseen, and is shown with its figure and words', async () => {
    const terminal = atTerminal(['--key', fileNamed('new.json'), 'key', 'new']);
    await terminal.answer('New pass phrase:', PASSPHRASE);
    await terminal.answer('The same again:', PASSPHRASE);

    expect(await terminal.code).toBe(0);
    expect(terminal.screen()).not.toContain(PASSPHRASE);
    expect(terminal.screen()).toMatch(/[▀▄█]{3}[^]*\navatar +0x0[23][0-9a-f]{64}\n/);
    expect(terminal.screen()).toMatch(/\nwords +(?:[a-z]+ ){11}[a-z]+\n/);
  });

  it.each([
    ['two pass phrases that differ', [PASSPHRASE, `${PASSPHRASE}!`], 1, 'are not the same'],
    ['a pass phrase that is too short', ['short'], 2, 'at least 8 characters'],
  ])('is not made with %s', async (what, typed, code, message) => {
    const terminal = atTerminal(['--key', fileNamed(`${what}.json`), 'key', 'new']);
    for (const [index, line] of typed.entries()) {
      await terminal.answer(index === 0 ? 'New pass phrase:' : 'The same again:', line);
    }

    expect(await terminal.code).toBe(code);
    expect(terminal.screen()).toContain(message);
    expect(readdirSync(home)).not.toContain(`${what}.json`);
  });

  it('is imported from words that are not shown, as every wallet has it, and exported after the pass phrase', async () => {
    const key = ['--key', fileNamed('known.json')];
    const importing = atTerminal([...key, 'key', 'import']);
    await importing.answer('12 words', `  ${KNOWN_WORDS.replace(' ', '   ')}`);
    await importing.answer('New pass phrase:', PASSPHRASE);
    await importing.answer('The same again:', PASSPHRASE);
    expect(await importing.code).toBe(0);
    expect(importing.screen()).toContain(KNOWN_ADDRESS);
    expect(importing.screen()).not.toContain('junk');

    const wrong = atTerminal([...key, 'key', 'export']);
    await wrong.answer('Pass phrase of', 'something else');
    expect(await wrong.code).toBe(1);
    const right = atTerminal([...key, 'key', 'export']);
    await right.answer('Pass phrase of', PASSPHRASE);
    expect(await right.code).toBe(0);
    expect(right.screen()).toContain('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  });

  it.each([
    ['a word that is not in the list', KNOWN_WORDS.replace('junk', 'jnuk'), 'Word 12 is not in the list'],
    ['words that do not belong together', KNOWN_WORDS.replace('junk', 'test'), 'do not belong together'],
    ['too few words', 'test test', '64 hex digits, or 12 words'],
    ['a number that is no key', '0'.repeat(64), 'not a private key'],
  ])('is not imported from %s, of which nothing is quoted', async (_what, typed, message) => {
    const terminal = atTerminal(['--key', fileNamed('refused.json'), 'key', 'import']);
    await terminal.answer('12 words', typed);

    expect(await terminal.code).toBe(1);
    expect(terminal.screen()).toContain(message);
    expect(terminal.screen()).not.toContain(typed);
  });

  it('is not made when the person presses Ctrl-C', async () => {
    const terminal = atTerminal(['--key', fileNamed('stopped.json'), 'key', 'new']);
    await terminal.sees('New pass phrase:');
    terminal.ctrlC();

    expect(await terminal.code).toBe(130);
    expect(readdirSync(home)).not.toContain('stopped.json');
  });

  itUnless(lackOf('script'), 'is asked for by a real terminal without an echo', async () => {
    const file = fileNamed('pseudo.json');
    const line = `${process.execPath} ${COMMAND} --key ${file} key new`;
    const child = spawn('script', ['-qefc', line, '/dev/null'], { env: { PATH: process.env.PATH, TERM: 'xterm' } });
    let screen = '';
    child.stdout.on('data', (text) => (screen += String(text)));
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until(() => screen.includes('New pass phrase:'));
    child.stdin.write(`${PASSPHRASE}\r`);
    await until(() => screen.includes('The same again:'));
    child.stdin.write(`${PASSPHRASE}\r`);

    expect(await ended).toBe(0);
    expect(screen).not.toContain(PASSPHRASE);
    expect(readFileSync(file, 'utf8')).toContain('scrypt');
  });
});

describe('at a terminal, a binding', () => {
  const alice = anAvatar('alice');
  const gists = new Map<string, Gist>();
  let app: RunningApp;
  let github: StandIn;
  let env: Record<string, string>;
  beforeAll(async () => {
    github = await startStandIn(showGists(gists));
    app = await startApp({ env: { GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' } });
    const SIGNET_PRIVATE_KEY = Buffer.from(alice.privateKey).toString('hex');
    env = { HOME: home, SIGNET_SERVER: app.baseUrl, SIGNET_PRIVATE_KEY };
  });
  afterAll(async () => {
    await app?.close();
    await github?.close();
  });
  const drafts = () => readdirSync(path.join(home, '.config/signet/drafts'));
  const textOn = (screen: string) => /-{40}\n([^]*)\n-{40}/.exec(screen)![1]!;

  it('is guided: steps, text, the question where the post is, a line while it is awaited, the end', async () => {
    const id = 'a'.repeat(32);
    const terminal = atTerminal(['bind', 'github', 'alice-demo'], { env });
    await terminal.answer('Where is the post?', id);
    await terminal.sees('Waiting for the post (look 1; again in 1 s)');
    const content = textOn(terminal.screen());
    gists.set(id, { login: 'alice-demo', accountId: 7, avatar: alice, content });

    expect(await terminal.code).toBe(0);
    expect(terminal.screen()).toMatch(
      /^1\. [^]*The text to publish[^]*Where is the post\?[^]*Bound\.\nplatform +github\n/,
    );
    expect(drafts()).toEqual([]);
  });

  it('is kept when the person presses Ctrl-C, and goes on with what was kept', async () => {
    const id = 'b'.repeat(32);
    const first = atTerminal(['bind', 'github', 'bob-demo'], { env });
    await first.answer('Where is the post?', id);
    await first.sees('Waiting for the post');
    first.ctrlC();
    expect(await first.code).toBe(130);
    const [, file] = /signet bind --resume (\S+)/.exec(first.screen())!;
    gists.set(id, { login: 'bob-demo', accountId: 8, avatar: alice, content: textOn(first.screen()) });

    const { code, text } = await runHere(['bind', '--resume', file!, '--json'], env);

    expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({ state: 'bound', identity: 'bob-demo' });
    expect([code, drafts()]).toEqual([0, []]);
  });

  it('of another wallet takes the signature that the person pastes', async () => {
    const wallet = aWallet('pasted');
    const terminal = atTerminal(['bind', 'ethereum', wallet.address], { env });
    await terminal.sees('Its signature (hex or Base64):');
    const text = /^\{.*\}$/m.exec(terminal.screen())![0];
    await terminal.answer('Its signature', 'hello');
    await terminal.sees('not Base64');
    await terminal.answer('Its signature', wallet.sign(`${text}\n`));
    await terminal.sees('It was made by that wallet, but over the text with a line break behind it.');
    await terminal.answer('Its signature', `0x${Buffer.from(wallet.sign(text), 'base64').toString('hex')}`);

    expect(await terminal.code).toBe(0);
    expect(terminal.screen()).toContain('Bound.');
  });

  it('of a platform that the server does not know, or cannot check, is refused before anything is signed', async () => {
    expect(await runHere(['bind', 'friendster', 'alice'], env)).toMatchObject({ code: 2 });
    const { code, text } = await runHere(['bind', 'discord', 'alice#1234', '--location', 'x'], env);

    expect([code, text]).toEqual([1, expect.stringContaining('DISCORD_BOT_TOKEN')]);
  });
});
