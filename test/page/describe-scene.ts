import { describePage, type Look, type Visit } from './browser.js';
import { type LyingProxy, startLyingProxy } from './lying-proxy.js';
import { type Scene, startScene } from './scene.js';
import { startWitnesses, type TestWitnesses } from './witness-in-test.js';

/** What a suite of the page looks at. */
export interface World {
  scene: Scene;
  /** In front of the service; each test begins with one that tells the truth. */
  proxy: LyingProxy;
}

const HONEST = { lie: null, lieInText: null, answer: null, before: null, delayMs: 0, hasCors: true };

/** Opens an address in the browser of the suite. */
export type Open = (url: string, look?: Look) => Promise<Visit>;

/**
 * A suite in a browser, on a scene of its own: a service with witnesses and with `env`, people who have bound things,
 * and a proxy that may lie.
 */
export function describeScene(
  name: string,
  suite: (visit: Open, world: () => World) => void,
  env: Record<string, string> = {},
): void {
  describePage(name, (visit) => {
    let world: World | undefined;
    let scene: Scene | undefined;
    let witnesses: TestWitnesses | undefined;
    beforeAll(async () => {
      witnesses = await startWitnesses();
      scene = await startScene({ ...witnesses.env, ...env });
      world = { scene, proxy: await startLyingProxy(scene.baseUrl) };
    });
    afterEach(() => {
      if (world) Object.assign(world.proxy, HONEST);
    });
    afterAll(async () => {
      await world?.proxy.close();
      await scene?.close();
      await witnesses?.close();
    });
    suite(visit, () => world!);
  });
}
