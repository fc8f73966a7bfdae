import { fileURLToPath } from 'node:url';
import { readVectors } from './support/vectors.js';
import { bundleOf, scriptOf } from './support/bundle.js';
import { anyChromium } from './support/chromium.js';
import { itUnless } from './support/unless.js';
import { casesOf, type Vectors } from './cases.js';

const FILES = [
  'proof-links.json',
  'kv-links.json',
  'personal-sign.json',
  'signature-mutations.json',
  'public-keys.json',
  'merge-patch.json',
  'data-items.json',
  'wycheproof/ecdsa_secp256k1_sha256_p1363_test.json',
];
const vectors: Vectors = Object.fromEntries(FILES.map((file) => [file, readVectors(file)]));
const cases = casesOf(vectors);

describe('the rules in Node', () => {
  it.each(cases.map(({ name, run }) => [name, run] as const))('%s', async (_name, run) => {
    await run();
  });

  it('are asked more than 250 things', () => {
    expect(cases.length).toBeGreaterThan(250);
  });
});

describe('the rules in a browser', () => {
  const entry = fileURLToPath(new URL('browser-entry.ts', import.meta.url));

  it('are bundled without anything that only Node has', () => {
    expect(bundleOf(entry)).not.toMatch(/\bnode:|\bBuffer\b|\brequire\(/);
  });

  itUnless(anyChromium.lack, 'say the same', async () => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: anyChromium.executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      // WebCrypto is there on pages that came over https only.
      await page.route('https://rules.example/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await page.goto('https://rules.example/');
      await page.addScriptTag({ content: scriptOf(entry) });
      const seen = await page.evaluate(
        (given) => (globalThis as unknown as { runCases(vectors: Vectors): unknown }).runCases(given),
        vectors,
      );

      expect(seen).toEqual({ count: cases.length, failures: [] });
    } finally {
      await browser.close();
    }
  });
});
