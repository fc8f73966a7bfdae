import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SCRIPT = path.join(ROOT, 'scripts/release.mjs');
const REPOSITORY = 'https://forge.example/acme/signet';
const PACKAGES = ['verify', 'look', 'sdk', 'react', 'cli'];
const CHANGELOG = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- Something new.\n\n## 0.1.0 (2026-11-20)\n\n- First.\n';

interface Manifest {
  version: string;
  repository: { url: string };
  dependencies?: Record<string, string>;
  packages: Record<string, Manifest>;
}

let root: string;

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = (file: string) => JSON.parse(read(file)) as Manifest;
const inTarball = (tarball: string, file: string) =>
  execFileSync('tar', ['-xzOf', path.join(root, tarball), `package/${file}`], { encoding: 'utf8' });

function release(...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...words], { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** A repository with what a release reads: manifests, changelog, licence, and packages as they are built. */
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'signet-test-'));
  for (const file of ['package.json', 'package-lock.json', 'LICENSE', 'web/package.json']) copy(file);
  for (const name of PACKAGES)
    for (const file of ['package.json', 'README.md', 'dist']) copy(`packages/${name}/${file}`);
  if (existsSync(path.join(ROOT, 'packages/cli/bin'))) copy('packages/cli/bin');
  writeFileSync(path.join(root, 'CHANGELOG.md'), CHANGELOG);
  writeFileSync(path.join(root, '.gitignore'), 'dist/\n/release/\n');
  git('init', '--quiet');
  git('config', 'user.name', 'Alice');
  git('config', 'user.email', 'alice@example.org');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
});
afterEach(() => rmSync(root, { recursive: true }));

function copy(file: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  cpSync(path.join(ROOT, file), path.join(root, file), { recursive: true });
}

describe('npm run release', () => {
  it('gives one version to all, dates the changelog, commits, tags, and makes the files', () => {
    const { status, output } = release('0.2.0', '--repository', REPOSITORY);

    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('Committed and tagged v0.2.0') });
    expect([git('status', '--porcelain'), git('log', '-1', '--format=%s'), git('describe')]).toEqual([
      '',
      'Release 0.2.0',
      'v0.2.0',
    ]);
    expect(read('CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
    for (const folder of ['.', 'web', ...PACKAGES.map((name) => `packages/${name}`)]) {
      expect(manifest(`${folder}/package.json`)).toMatchObject({
        version: '0.2.0',
        repository: { url: `git+${REPOSITORY}.git` },
      });
    }
    const lock = manifest('package-lock.json').packages['packages/sdk']!;
    expect([lock.version, lock.dependencies!['@signet/verify']]).toEqual(['0.2.0', '^0.2.0']);
  });

  it('makes packages with licence and version, source, components and checksums, and a dry run changes nothing', () => {
    const { status, output } = release('0.2.0', '--dry-run', '--repository', `${REPOSITORY}.git`);

    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringContaining('Dry run: nothing is committed.'),
    });
    expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).toEqual(['', '', 'Begin']);
    for (const name of PACKAGES) {
      const tarball = `release/0.2.0/signet-${name}-0.2.0.tgz`;
      const packed = JSON.parse(inTarball(tarball, 'package.json')) as Manifest;
      const ours = Object.entries(packed.dependencies ?? {}).filter(([dependency]) =>
        dependency.startsWith('@signet/'),
      );
      expect([packed.version, packed.repository.url]).toEqual(['0.2.0', `git+${REPOSITORY}.git`]);
      expect(ours.filter(([, range]) => range !== '^0.2.0')).toEqual([]);
      expect(inTarball(tarball, 'LICENSE')).toBe(readFileSync(path.join(ROOT, 'LICENSE'), 'utf8'));
    }
    const { components, metadata } = JSON.parse(read('release/0.2.0/signet-0.2.0.cdx.json')) as {
      components: { name: string }[];
      metadata: { component: { name: string; version: string } };
    };
    expect(metadata.component).toMatchObject({ name: 'signet', version: '0.2.0' });
    const names = components.map(({ name }) => name);
    for (const name of Object.keys(manifest('package.json').dependencies!)) {
      if (!name.startsWith('@signet/')) expect(names).toContain(name);
    }
    expect(names).not.toContain('jest');
    expect(read('release/0.2.0/CHANGES.md')).toBe('- Something new.\n');
    const sums = read('release/0.2.0/SHA256SUMS').trim().split('\n');
    expect(sums).toHaveLength(8);
    for (const line of sums) {
      const [digest, name] = line.split('  ') as [string, string];
      const file = readFileSync(path.join(root, 'release/0.2.0', name));
      expect(createHash('sha256').update(file).digest('hex')).toBe(digest);
    }
  });

  it('works without a public address, and says what to fill in', () => {
    const { status, output } = release('0.2.0');

    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringContaining('package.json names no repository'),
    });
    expect([git('status', '--porcelain'), git('describe')]).toEqual(['', 'v0.2.0']);
    for (const file of ['package.json', 'packages/sdk/package.json']) {
      expect(manifest(file)).not.toHaveProperty('repository');
      expect(manifest(file)).not.toHaveProperty('homepage');
    }
    // Later, with the address, from the tag.
    expect(release('0.2.0', '--dry-run', '--out', 'release/again', '--repository', REPOSITORY).status).toBe(0);
    const packed = JSON.parse(inTarball('release/again/signet-sdk-0.2.0.tgz', 'package.json')) as Manifest;
    expect(packed.repository.url).toBe(`git+${REPOSITORY}.git`);
  });

  it.each([
    ['a text that is no version', ['0.2'], 'is not a version'],
    ['a version that is behind', ['0.1.9', '--repository', REPOSITORY], 'The version is 0.2.0 already'],
    ['a candidate of what is there', ['0.2.0-rc.1', '--repository', REPOSITORY], 'The version is 0.2.0 already'],
    ['an address that is none', ['0.2.0', '--repository', 'forge'], 'is no address such as'],
    ['a version of which the changelog knows nothing', ['0.3.0', '--repository', REPOSITORY], 'has no section'],
    ['two versions', ['0.2.0', '0.3.0'], 'Usage'],
    ['an unknown option', ['0.2.0', '--force'], 'Usage'],
  ])('refuses %s in one sentence, and changes nothing', (_what, words, sentence) => {
    const { status, output } = release(...words);

    expect({ status, output }).toEqual({ status: 2, output: expect.stringContaining(sentence) });
    expect(output).not.toMatch(/^ {4}at /m);
    expect([git('status', '--porcelain'), git('tag')]).toEqual(['', '']);
  });

  it('refuses changes that are not committed, an empty section, and a tag that is there', () => {
    writeFileSync(path.join(root, 'new.txt'), '');
    expect(release('0.2.0', '--repository', REPOSITORY).output).toContain('Commit or remove what is changed first');
    rmSync(path.join(root, 'new.txt'));

    writeFileSync(path.join(root, 'CHANGELOG.md'), CHANGELOG.replace('- Something new.\n\n', ''));
    git('commit', '--quiet', '--all', '--message', 'Empty');
    expect(release('0.2.0', '--repository', REPOSITORY).output).toContain('CHANGELOG.md says nothing about 0.2.0');

    git('tag', 'v0.2.0');
    expect(release('0.2.0', '--repository', REPOSITORY).output).toContain('There is a tag v0.2.0 already');
  });
});
