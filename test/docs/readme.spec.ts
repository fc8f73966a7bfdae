import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

describe('the README', () => {
  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1]!);

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('says how to start the service and how to run its tests', () => {
    expect(readme).toContain('```sh\nnpm ci && npm start\n```');
    expect(readme).toContain('```sh\nnpm ci && npm test\n```');
  });

  it('fits on a few screens', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
  });
});
