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
  ])('refuse %s=%s and name the setting', (name, value) => {
    const problems = problemsOf({ [name]: value });

    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toContain(name);
  });

  it('say of a text that is no number only that', () => {
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
