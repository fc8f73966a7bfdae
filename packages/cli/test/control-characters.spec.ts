import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import { linkPayload } from '@signet/verify';
import { aHistory, type History, type LogServer, startLogServer } from '../../sdk/test/support/log-server.js';
import { anAvatar } from '../../sdk/test/support/people.js';
import { jsonReply, type StandIn, type StandInRequest, startStandIn } from '../../sdk/test/support/stand-in.js';
import { jsonFile, jsonLine, Printer } from '../src/terminal/printer.js';
import { run } from '../src/program.js';

/** An escape sequence, DEL, C1, and marks of direction: what a hostile server sends to a terminal. */
const STEERING = '\u001b]0;pwned\u0007\u001b[31m\u007f\u0085\u009b31m\u061c\u200e\u200f\u202a\u202e\u2066\u2069';
/** Everything that a terminal acts on, but line feed and tab. */
const STEERS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What a command writes on both outputs, byte by byte. */
async function bytesOf(words: string[], env: Record<string, string>): Promise<{ out: string; all: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [out, all] = ['', ''];
  stdout.on('data', (part) => ((out += String(part)), (all += String(part))));
  stderr.on('data', (part) => (all += String(part)));
  await run(words, { stdin, stdout, stderr, env: { NO_COLOR: '1', ...env }, signal: new AbortController().signal });
  return { out, all };
}

describe('a hostile server', () => {
  let home: string;
  let history: History;
  let log: LogServer;
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'signet-control-'));
    history = aHistory();
    log = await startLogServer(history);
  });
  afterEach(async () => {
    await log.close();
    rmSync(home, { recursive: true, force: true });
  });
  const signet = (...words: string[]) => bytesOf(words, { HOME: home, SIGNET_SERVER: log.baseUrl });

  it.each([
    ['is none', () => `no proof${STEERING}`],
    ['has more behind it', (proof: string) => `${proof}${STEERING}`],
    ['has more among its signatures', (proof: string) => proof.replace('\u2014 ', `\u2014 ${STEERING}`)],
  ])('cannot write to the terminal by a proof of the log that %s, with and without --json', async (_what, change) => {
    const { uuid } = history.links[0]!;
    const proof = (await signet('log', 'proof', uuid)).out;
    expect(proof).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
    log.intercept(({ path: asked }) => (asked === '/v1/log/proof' ? { text: change(proof) } : undefined));

    for (const words of [[], ['--json']]) {
      const { out, all } = await signet('log', 'proof', uuid, ...words);

      expect(all).toContain('is not a proof of a log');
      expect(all).not.toMatch(STEERS);
      expect(out).toBe('');
    }
  });

  it('cannot write to the terminal by what it says of a link, an event or itself', async () => {
    const avatar = anAvatar('steering').key.compressed;
    const link = { avatar, action: 'create', platform: 'github', identity: STEERING, created_at: '1', uuid: STEERING };
    const body = { message: STEERING, code: STEERING, service_name: STEERING, platforms: [], hello: STEERING };
    const pages = { pagination: { total: 1, per: 1, current: 1, next: 0 }, proof_chain: [link], kv_chain: [link] };
    const server = await startStandIn(({ path: asked }: StandInRequest) =>
      asked === '/v1/events'
        ? {
            text: `event: ready\nid: 1\ndata: {}\n\nid: 1\ndata: ${JSON.stringify({ ...link, type: STEERING, avatar: STEERING, position: 1, recorded_at: STEERING })}\n\n`,
            headers: { 'content-type': 'text/event-stream' },
          }
        : jsonReply({ ...body, ...pages }, asked === '/healthz' ? 200 : 200),
    );
    try {
      for (const words of [
        ['chain', avatar],
        ['kv', 'chain', avatar],
        ['doctor'],
        ['events', '--after', '0'],
        ['export', avatar],
      ]) {
        for (const form of [[], ['--json']]) {
          const { all } = await bytesOf([...words, ...form], { HOME: home, SIGNET_SERVER: server.baseUrl });

          expect(all).not.toBe('');
          expect(all).not.toMatch(STEERS);
        }
      }
    } finally {
      await server.close();
    }
  });
});

describe('an export', () => {
  const avatar = anAvatar('exported');
  /** A chain with one link, whose identity and evidence steer terminals. */
  const link = (() => {
    const fields = {
      ...{ action: 'create', platform: 'github', identity: `alice${STEERING}`, avatar: avatar.key.compressed },
      ...{ uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612', created_at: '1700000000', prev: null },
    } as const;
    const signature_payload = linkPayload(fields as never);
    const { identity, action, platform, uuid, created_at } = fields;
    return {
      action,
      platform,
      identity,
      uuid,
      created_at,
      signature_payload,
      signature: avatar.sign(signature_payload),
    };
  })();
  const one = { total: 1, per: 20, current: 1, next: 0 };
  const none = { ...one, total: 0 };
  let server: StandIn;
  beforeAll(async () => {
    server = await startStandIn(({ path: asked }) => {
      if (asked === '/v1/proofchain') return jsonReply({ pagination: one, proof_chain: [link] });
      if (asked === '/v1/kv/chain') return jsonReply({ pagination: none, kv_chain: [] });
      if (asked === '/v1/platforms') return jsonReply({ service_name: 'self', platforms: [] });
      if (asked === '/v1/proof') {
        const { platform, identity, created_at } = link;
        const proof = { platform, identity, created_at, last_checked_at: '1', is_valid: true, invalid_reason: '' };
        return jsonReply({ pagination: one, ids: [{ avatar: avatar.key.compressed, proofs: [proof] }] });
      }
      return jsonReply({ message: 'There is none.', code: 'not_found' }, 404);
    });
  });
  afterAll(() => server.close());

  it.each([[[]], [['--json']]])('holds no control characters, and says the same: %j', async (words: string[]) => {
    const { out } = await bytesOf(['export', avatar.key.compressed, ...words], { SIGNET_SERVER: server.baseUrl });

    expect(JSON.parse(out)).toMatchObject({ links: [link], bindings: [{ identity: link.identity }] });
    expect(out).not.toMatch(STEERS);
    expect(out.trimEnd().includes('\n')).toBe(words.length === 0);
  });

  const FOLDER = fileURLToPath(new URL('../../../vectors/exports/', import.meta.url));
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))(
    'of honest data is written as before: %s',
    (name) => {
      const file: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));

      expect(jsonFile(file, 2)).toBe(JSON.stringify(file, null, 2));
      expect(jsonFile(file)).toBe(JSON.stringify(file));
    },
  );
});

describe('the printer', () => {
  const printed = (print: (printer: Printer) => void, isTTY = false): string => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    print(new Printer({ stdout, stderr: stdout, env: {} } as never, false));
    return String(stdout.read());
  };

  it('escapes in a line what its caller forgot, and leaves its own colours', () => {
    expect(printed((printer) => printer.line(STEERING))).not.toMatch(STEERS);
    expect(printed((printer) => printer.note(STEERING))).not.toMatch(STEERS);
    expect(printed((printer) => printer.line(printer.styled('ok', 'green')), true)).toBe('\u001b[32mok\u001b[0m\n');
  });

  it('writes nothing raw that steers a terminal', () => {
    expect(() => printed((printer) => printer.raw(STEERING))).toThrow('control characters');
  });

  it.each([...STEERING])('writes JSON that is read back as it was: %j', (character) => {
    const value = { [character]: [`a${character}b`] };

    for (const text of [jsonLine(value), jsonFile(value), jsonFile(value, 2)]) {
      expect(text).not.toMatch(STEERS);
      expect(JSON.parse(text)).toEqual(value);
    }
  });

  it('leaves the joiners of emoji and every other letter in files', () => {
    const value = { text: '👩‍💻 – שלום, मनीषा, “quoted”\n\t' };

    expect(jsonFile(value)).toBe(JSON.stringify(value));
  });
});
