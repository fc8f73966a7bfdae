import { readFileSync } from 'node:fs';
import { checkFile } from '../../web/src/verify/check-file.js';

/** What the page knows of the log of its example, and of its witnesses. */
const TRUSTED = JSON.parse(
  readFileSync(new URL('../../web/src/verify/example-policy.json', import.meta.url), 'utf8'),
) as { policy: string };
const FILE = readFileSync(new URL('../../web/public/example.json', import.meta.url), 'utf8');
const { avatar } = JSON.parse(FILE) as { avatar: string };
const LOG_KEY = 'signet.example/log+ea7d8f53+AZsfhHkc/HZjBFhU04netcqVRJ2HXydqg4QLBgqznPxx';

describe('what a person expects of a file', () => {
  it.each([`"${avatar}"`, `\u200b${avatar}\u00a0\r\n`, `\u202a${avatar.slice(2)}\u202c`])(
    'is read without what nobody sees or means: %j',
    (pasted) => {
      const { checked } = checkFile(FILE, { avatar: pasted, log: '' });

      expect(checked?.steps[0]).toEqual({ name: 'expected', state: 'ok', detail: `Expected: ${avatar}` });
    },
  );

  it('is nothing where only what nobody sees stands in the field', () => {
    const { checked } = checkFile(FILE, { avatar: '\u200b\u00a0', log: '\ufeff\u00a0' });

    expect(checked?.steps.map(({ name }) => name)).not.toContain('expected');
  });

  it('is the log of a key in quotes as well', () => {
    const plain = checkFile(null, { avatar: '', log: LOG_KEY });

    expect(checkFile(null, { avatar: '', log: `\u200b"${LOG_KEY}"\u00a0` })).toEqual(plain);
    expect(plain.logProblem).toBeNull();
  });

  it('is all there in the example of the page: signatures, log, map and witness, and no post, which no file can show', () => {
    const { checked } = checkFile(FILE, { avatar, log: TRUSTED.policy });
    const stepsOf = (state: string) => checked!.steps.filter((step) => step.state === state).map(({ name }) => name);

    expect(checked!.ok).toBe(true);
    expect(stepsOf('ok')).toEqual(expect.arrayContaining(['expected', 'all', 'logged', 'complete', 'witnesses']));
    expect(new Set(stepsOf('not_checkable'))).toEqual(new Set(['post']));
    expect(checked!.bindings.length).toBeGreaterThan(2);
    for (const { steps } of checked!.bindings) {
      expect(steps.filter(({ name, state }) => state !== 'ok' && name !== 'post')).toEqual([]);
    }
  });
});
