import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { fileURLToPath } from 'node:url';
import { type RunningApp, startApp } from '../support/app.js';
import { tryProgram } from '../../scripts/clients/try-program.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The program in TypeScript, which needs nothing but Node; `npm run test:clients` runs those in other languages. */
describe('the program of docs/guide/languages in TypeScript', () => {
  let app: RunningApp;
  let folder: string;
  let compiled: string;

  beforeAll(async () => {
    // Inside the repository, so that the program finds viem and openapi-fetch.
    mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
    folder = mkdtempSync(path.join(ROOT, '.cache/languages-'));
    app = await startApp();
    copyFileSync(path.join(ROOT, 'docs/guide/languages/typescript/signet.ts'), path.join(folder, 'signet.ts'));
    const { body: document } = await app.get('/openapi.json');
    writeFileSync(path.join(folder, 'api.ts'), astToString(await openapiTS(document, { silent: true })));
    const compilerOptions = {
      ...{ strict: true, module: 'NodeNext', target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
      ...{ types: ['node'], skipLibCheck: true, outDir: 'built' },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const words = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder];
    compiled = spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout;
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('fits the types that are made of the description of the API', () => {
    expect(compiled).toBe('');
  });

  it('binds, looks up, writes, reads and follows, and says in one sentence what is wrong with bad input', async () => {
    const command = [process.execPath, 'built/signet.js'];

    await expect(tryProgram({ folder, command, baseUrl: app.baseUrl })).resolves.toBeUndefined();
  });
});
