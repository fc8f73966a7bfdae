import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { secretSettings } from '../../src/config/setting-kinds.js';
import { InvalidEnvironmentError, loadEnvironment } from '../../src/config/environment.js';

function problemsOf(variables: Record<string, string>): string[] {
  try {
    loadEnvironment(variables);
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it('need none to be given', () => {
    expect(loadEnvironment({})).toMatchObject({
      SERVICE_NAME: 'self',
      ENVIRONMENT: 'production',
      PORT: 3000,
      HOST: '0.0.0.0',
      DATA_DIR: './data',
      PAYLOAD_TTL_SECONDS: 604_800,
      MAX_BINDINGS_PER_AVATAR: 1000,
      RATE_LIMIT: true,
    });
  });

  it('leave what is optional out', () => {
    const { DATABASE_URL, PAYLOAD_SECRET, PLATFORMS, ADMIN_TOKEN } = loadEnvironment({});

    expect([DATABASE_URL, PAYLOAD_SECRET, PLATFORMS, ADMIN_TOKEN]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('count an empty value as not given', () => {
    const { PORT, DATABASE_URL } = loadEnvironment({ PORT: '', DATABASE_URL: '' });

    expect({ PORT, DATABASE_URL }).toEqual({ PORT: 3000, DATABASE_URL: undefined });
  });

  it('are read from text', () => {
    const settings = loadEnvironment({ PORT: '0', PLATFORMS: 'ethereum, solana,', RATE_LIMIT: 'off' });

    expect(settings).toMatchObject({ PORT: 0, PLATFORMS: ['ethereum', 'solana'], RATE_LIMIT: false });
  });

  it.each([
    ['on', true],
    ['true', true],
    ['1', true],
    ['OFF', false],
    ['false', false],
    ['0', false],
  ])('know RATE_LIMIT=%s', (word, expected) => {
    expect(loadEnvironment({ RATE_LIMIT: word }).RATE_LIMIT).toBe(expected);
  });

  it.each([
    ['PORT', 'web'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '0x10'],
    ['ENVIRONMENT', 'test'],
    ['LOG_LEVEL', 'loud'],
    ['SERVICE_NAME', 'Two Words'],
    ['SERVICE_NAME', 'a'.repeat(33)],
    ['DATABASE_URL', 'mysql://localhost/signet'],
    ['DATABASE_POOL_SIZE', '0'],
    ['PAYLOAD_SECRET', 'too short'],
    ['PAYLOAD_TTL_SECONDS', '59'],
    ['MAX_BINDINGS_PER_AVATAR', '0'],
    ['KV_WRITE_POLICY', 'closed'],
    ['RATE_LIMIT', 'maybe'],
    ['ADMIN_TOKEN', 'short'],
    ['ETH_RPC_URLS', 'https://example.com'],
    ['DNS_MODE', 'guess'],
    ['DNS_SERVERS', 'dns.example.org'],
    ['DNS_SERVERS', '192.0.2.1,abc'],
    ['DNS_SERVERS', '[2001:db8::1]:x'],
    ['DATABASE_URL', 'postgres://user@host:99999/signet'],
    ['DATABASE_URL', 'postgres://user:pass/word@host/signet'],
    ['DATABASE_DIRECT_URL', 'postgres://a:5432,b:x/signet'],
    ['DATABASE_REPLICA_URLS', 'postgres://a/signet,postgres://b:99999/signet'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '99999999999'],
    ['DATABASE_CONNECT_TIMEOUT_MS', '99999999999'],
    ['EVENT_STREAM_STALL_SECONDS', '9999999'],
    ['EVENT_RETENTION_DAYS', '999999999'],
    ['ADMIN_TOKEN', 'no header can carry an € sign'],
    ['GITHUB_TOKEN', 'two\nlines'],
    ['GITHUB_TOKEN', '"ghp_abc"'],
    ['X_BEARER_TOKEN', "'AAAA%3D'"],
    ['DISCORD_BOT_TOKEN', '`abc`'],
    ['OUTBOUND_CONTACT', 'mailto:jörg@example.org'],
    ['OUTBOUND_CONTACT', 'nobody'],
    ['OUTBOUND_CONTACT', 'https://'],
    ['OUTBOUND_CONTACT', 'ops@example.org\r\nCookie: a=b'],
    ['HOST', '999.1.1.1'],
    ['HOST', '127.0.0.1:3000'],
    ['HOST', 'http://localhost'],
    ['HOST', 'two words'],
    ['LOG_ORIGIN', 'https://signet.example/log'],
    ['WITNESS_NAME', 'signet.example/witness/'],
    ['SHUTDOWN_DELAY_SECONDS', '301'],
    ['PUBLIC_URL', 'id.example.org'],
    ['PUBLIC_URL', 'javascript://id.example.org'],
    ['PUBLIC_URL', 'https://id.example.org/signet'],
    ['PUBLIC_URL', 'https://id.example.org/?a=b'],
    ['PUBLIC_URL', 'https://alice@id.example.org'],
    ['PUBLIC_URL', 'https://'],
  ])('refuse %s=%s and name the setting', (name, value) => {
    const problems = problemsOf({ [name]: value });

    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toContain(name);
  });

  it.each([
    ['DNS_SERVERS', '192.0.2.1:53,[2001:db8::1]:53,2001:db8::2'],
    ['HOST', '::1'],
    ['HOST', 'localhost'],
    ['HOST', 'signet-0.signet.default.svc'],
    ['OUTBOUND_CONTACT', 'ops@example.org'],
    ['OUTBOUND_CONTACT', 'mailto:ops@example.org'],
    ['OUTBOUND_CONTACT', 'https://proofs.example.org/about'],
    ['OUTBOUND_CONTACT', 'http://localhost:3000/'],
  ])('take %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([]);
  });

  it.each([
    'postgres://user:p%40ss@host/signet',
    'postgresql://user@a:5432,b:5432/signet?target_session_attrs=any',
    'postgres://user@[::1]:5432/signet',
    'postgres:///signet?host=/var/run/postgresql',
    'postgres://user:with space@host/signet',
    'postgres://host',
    'postgres://user:p@ss@host/signet',
    'postgres://host/signet?user=me@tenant&sslmode=verify-full',
  ])('take %s as the URL of a database', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([]);
  });

  it.each(['postgres://', 'postgres:///', 'postgresql://user:secret@', 'postgres://user@/'])(
    'refuse %s, which names neither a server nor a database',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toEqual([
        expect.stringMatching(/^DATABASE_URL cannot be read: expected/),
      ]);
    },
  );

  it.each([
    'postgres://odd:p@ss#w%rd?/:x=1@127.0.0.1:5432/db',
    'postgres://odd:p@ss#word@127.0.0.1:5432/db',
    'postgres://odd:p@ss?word@127.0.0.1:5432/db',
    'postgres://odd:p@ss/word@127.0.0.1:5432/db',
    'postgres://odd:p@ss?w=x@127.0.0.1:5432/db',
    'postgres://odd:p@ss/?/:x=1@127.0.0.1:5432/db',
    'postgres://odd:pass@127.0.0.1:5432/db#x',
  ])('refuse %s, whose host would be a part of the password, and show no part of it', (url) => {
    const problems = problemsOf({ DATABASE_URL: url, DATABASE_REPLICA_URLS: url });

    expect(problems).toHaveLength(2);
    for (const problem of problems) {
      expect(problem).toMatch(
        /^DATABASE_\w+ cannot be read: expected .* with special characters of the password as %40/,
      );
      expect(problem.replace(/expected .*/, '')).not.toMatch(/ss|w%rd|odd/);
    }
  });

  it.each(['PLATFORMS', 'DISCORD_PROOF_CHANNELS', 'DNS_SERVERS', 'ETH_RPC_URLS', 'DATABASE_REPLICA_URLS'])(
    'refuse a list of nothing: %s',
    (name) => {
      for (const nothing of [',', ' ', ' , ,']) {
        expect(problemsOf({ [name]: nothing })).toEqual([
          `${name} names nothing: give words with commas between them, or leave it out`,
        ]);
      }
    },
  );

  it('say of a text that is not a number only that', () => {
    expect(problemsOf({ PORT: 'web' })).toEqual(['PORT must be an integer number']);
  });

  it('are refused with one list of all problems', () => {
    const problems = problemsOf({ PORT: 'web', ENVIRONMENT: 'test', PAYLOAD_SECRET: 'short', HOST: '127.0.0.1' });

    const settings = new Set(problems.map((problem) => problem.split(' ')[0]));
    expect(settings).toEqual(new Set(['PORT', 'ENVIRONMENT', 'PAYLOAD_SECRET']));
  });

  it('never show a value in a refusal, for it may be a secret', () => {
    const secret = 'hunter2';

    const problems = problemsOf({
      PAYLOAD_SECRET: secret,
      ADMIN_TOKEN: secret,
      DATABASE_URL: `mysql://u:${secret}@h/d`,
    });

    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).not.toContain(secret);
  });
});

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'signet-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileWith(content: string | Buffer): string {
    const file = path.join(folder, 'secret');
    writeFileSync(file, content);
    return file;
  }

  it('takes a secret from a file that PowerShell or Notepad has saved, and refuses bytes that are no text', () => {
    const token = 'a'.repeat(32);
    for (const bytes of [`\ufeff${token}\r\n`, Buffer.from(`\ufeff${token}\r\n`, 'utf16le')]) {
      expect(loadEnvironment({ ADMIN_TOKEN_FILE: fileWith(bytes) }).ADMIN_TOKEN).toBe(token);
    }

    const [problem] = problemsOf({ ADMIN_TOKEN_FILE: fileWith(Buffer.from('é'.repeat(32), 'latin1')) });
    expect(problem).toMatch(/^ADMIN_TOKEN_FILE: the file \S+ cannot be read\. It is not a text in UTF-8/);
  });

  it('is used like the setting itself, without the line end of the file', () => {
    const settings = loadEnvironment({ ADMIN_TOKEN_FILE: fileWith(`${'a'.repeat(32)}\n`) });

    expect(settings.ADMIN_TOKEN).toBe('a'.repeat(32));
  });

  it.each([
    'ADMIN_TOKEN',
    'ARWEAVE_WALLET',
    'DATABASE_DIRECT_URL',
    'DATABASE_REPLICA_URLS',
    'DATABASE_URL',
    'DISCORD_BOT_TOKEN',
    'ETH_RPC_URLS',
    'GITHUB_TOKEN',
    'KEYBASE_FILE_URL_TEMPLATE',
    'PAYLOAD_SECRET',
    'WEBHOOKS',
    'X_BEARER_TOKEN',
  ])('is taken for %s', (name) => {
    expect(secretSettings()).toContain(name);
    expect(problemsOf({ [`${name}_FILE`]: path.join(folder, 'absent') })).toEqual([
      `${name}_FILE: the file ${path.join(folder, 'absent')} cannot be read (ENOENT)`,
    ]);
  });

  it('is checked like the setting itself, and not shown', () => {
    expect(problemsOf({ ADMIN_TOKEN_FILE: fileWith('hunter2') })).toEqual([
      'ADMIN_TOKEN must be at least 24 characters',
    ]);
  });

  it('is refused where the setting is given, too', () => {
    const problems = problemsOf({ GITHUB_TOKEN: 'one', GITHUB_TOKEN_FILE: fileWith('two') });

    expect(problems).toEqual(['GITHUB_TOKEN and GITHUB_TOKEN_FILE are both set; keep one of them']);
  });

  it('is refused when the file is empty, and when it is far too large', () => {
    expect(problemsOf({ GITHUB_TOKEN_FILE: fileWith('\n') })[0]).toContain('is empty');
    expect(problemsOf({ GITHUB_TOKEN_FILE: fileWith('x'.repeat(70_000)) })[0]).toContain('is larger than 65536 bytes');
  });
});
