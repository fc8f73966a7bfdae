import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where a version of a package may be installed here. */
const PLACES = ['', ...['verify', 'look', 'sdk', 'react', 'cli'].map((name) => `packages/${name}/`)];

interface Manifest {
  name: string;
  version: string;
}

/** A registry of npm on loopback, with the packages that are installed in this checkout, in the versions that are. */
export async function startRegistry(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(({ url = '', headers }, response) => {
    const [, wanted, version] = /^\/((?:@[^/]+\/)?[^/@]+)(?:@(.+)\.tgz)?$/.exec(decodeURIComponent(url)) ?? [];
    const installed = PLACES.map((place) => path.join(ROOT, place, 'node_modules', wanted ?? '?')).filter(existsSync);
    const packages = installed.map((folder) => {
      const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
      return { folder, manifest };
    });
    if (version !== undefined) {
      const one = packages.find(({ manifest }) => manifest.version === version);
      response.writeHead(one ? 200 : 404).end(one && tarballOf(one.folder));
      return;
    }
    const versions = packages.map(({ manifest }) => {
      const tarball = `http://${headers.host}/${wanted}@${manifest.version}.tgz`;
      return [manifest.version, { ...manifest, dist: { tarball } }] as const;
    });
    const latest = versions.at(0)?.[0];
    const answer = { name: wanted, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
    response.writeHead(latest ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tarballOf(folder: string): Buffer {
  const words = ['-czf', '-', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.'];
  return execFileSync('tar', words, { maxBuffer: 1 << 28 });
}
