import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { builtFile } from './built-page.js';
import { describeScene } from './describe-scene.js';

/** The page on a host of its own. */
describeScene('the page as it is deployed', (visit, world) => {
  it('reads from the service that it was told, on another origin', async () => {
    const { scene, proxy } = world();
    const alone = await serveAlone(proxy.baseUrl);
    const isService = new RegExp(`^request: ${proxy.baseUrl}/`);
    const seen = await visit(`${alone.url}/?q=${scene.alice.avatar}`, { expected: [isService] });

    await seen.page.locator('.summary .checked-here.ok').first().waitFor();
    await seen.close();
    await alone.close();
  });

  it('says that the server does not answer where the browser may not read the answer', async () => {
    const { proxy } = world();
    const alone = await serveAlone(proxy.baseUrl);
    proxy.hasCors = false;
    const isRefused = [/^request: /, /CORS policy/, /net::ERR_FAILED/];
    const seen = await visit(`${alone.url}/p/github/alice-demo`, { expected: isRefused });

    await seen.page.getByText('The server did not answer.').waitFor();
    expect(await seen.page.locator('.stamp.failed').count()).toBe(0);
    await seen.page.getByRole('button', { name: 'Try again' }).waitFor();
    await seen.close();
    proxy.hasCors = true;
    await alone.close();
  });
});

/** Serves the built page from an origin of its own, with the service at `apiUrl`, as its README says. */
async function serveAlone(apiUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const document = builtFile('index.html').replace(
    'name="signet-api" content=""',
    `name="signet-api" content="${apiUrl}"`,
  );
  const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const server = createServer(({ url = '/' }, answer) => {
    const type = types[path.extname(url)];
    answer.writeHead(200, { 'Content-Type': type ?? 'text/html; charset=utf-8' });
    answer.end(type ? builtFile(url) : document);
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
