import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PlatformService } from '../../src/platform/platform.service.js';
import { type RunningApp, startApp } from '../support/app.js';

const run = promisify(execFile);
const { STAND_IN_PLATFORMS } = (await import(
  new URL('../../scripts/demo/stand-in-platforms.mjs', import.meta.url).href
)) as { STAND_IN_PLATFORMS: string[] };
const demo = (words: string[], env: Record<string, string> = {}) =>
  run(process.execPath, ['scripts/demo.mjs', ...words], { env: { ...process.env, ...env }, maxBuffer: 1 << 24 });

describe('npm run demo', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('shows and verifies the life of a wallet binding against a running service', async () => {
    const { stdout } = await demo([], { BASE_URL: app.baseUrl });

    expect(stdout).toMatch(
      /POST \/v1\/proof\/payload[\s\S]*Its prev is the signature of the link before[\s\S]*Demo finished/,
    );
  });

  it('binds and revokes an identity on each platform that publishes something', async () => {
    const { stdout } = await demo(['--platform', 'all']);

    const bound = [...stdout.matchAll(/ok \S+ on (\w+) is bound/g)].map((match) => match[1]);
    expect(bound).toEqual(STAND_IN_PLATFORMS);
    expect(app.app.get(PlatformService).names()).toEqual(expect.arrayContaining(STAND_IN_PLATFORMS));
    expect(stdout).toContain('Demo finished');
  });

  it('says what to do where nobody answers', async () => {
    const failure = await demo([], { BASE_URL: 'http://127.0.0.1:9' }).catch(
      (error: { code: number; stderr: string }) => error,
    );

    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
  });

  it('names the platforms it can show', async () => {
    const failure = await demo(['--platform', 'nowhere']).catch((error: { code: number; stderr: string }) => error);

    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('github') });
  });

  it('says what it can show', async () => {
    const { stdout } = await demo(['--help']);

    expect(stdout).toMatch(/--platform NAME[\s\S]*--events[\s\S]*--playground/);
  });

  it('shows its usage to whoever misspells an option', async () => {
    const failure = await demo(['--event']).catch((error: { code: number; stderr: string }) => error);

    expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/--event'[\s\S]*Usage: npm run demo/) });
  });
});
