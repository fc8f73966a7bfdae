import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const fileOf = (name: string) => fileURLToPath(new URL(`support/${name}`, import.meta.url));

/** Bytes after gzip of what an entry loads at once, and with all that it may load later. */
function sizesOf(entry: string): { eager: number; all: number } {
  const text = execFileSync(process.execPath, [fileOf('eager-size.mjs'), fileOf(entry)], { encoding: 'utf8' });
  return JSON.parse(text) as { eager: number; all: number };
}

it('createClient loads at most 17.6 kB after gzip; the curve, and what demands need, come when they are used', () => {
  const { eager, all } = sizesOf('create-client.ts');

  expect(eager).toBeGreaterThan(5_000);
  // What asks for key events and for those who come after, whose parts come when they are used, takes 200 bytes more
  // than the 15,000 of before.
  // The names of nine platforms, and what finds accounts by names that change hands, take 0.9 kB.
  // A demand of its own for what platforms have signed takes 150 bytes.
  // Names of Nostr take 80 bytes; that no request holds a private key takes 200.
  // What is wrong with the options and arguments of calls takes 80 bytes.
  // That another server than one of ours answers takes 70 bytes.
  // That writes follow no redirect, and that payloads are texts, takes 130 bytes.
  // That items of answers have the form of one, and that a feed does not go in circles, takes 550 bytes.
  // A page that names the key by rel="me" takes 40 bytes.
  // Answers of proxies (408, 425, a date in Retry-After) take 110 bytes.
  expect(eager).toBeLessThanOrEqual(17_600);
  // Key events, their rules and what signs them take 9 kB more than the 85,000 of before; keys of apps 6 kB, P-256 and
  // passkeys among it; following, and what key events say of answers, 2 kB; writes
  // that they had stopped, 0.5 kB.
  // What knows more names of platforms takes 0.9 kB.
  // The rules of what platforms have signed, which come with that demand alone, take 24 kB.
  // BIP-340, and the events of keys of Nostr, take 2 kB; proofs of the end of a binding 0.5 kB.
  // What an account can be that a handle leads to takes 0.4 kB.
  // That looks are what createLooks() makes, and that another server answers, takes 0.2 kB.
  // What is wrong with addresses that redirect, and with lists of key events, takes 0.2 kB.
  // That other curves may check the signatures of DNSSEC takes 0.1 kB.
  // That items of answers have the form of one takes 0.7 kB; what is wrong with a patch 0.2 kB.
  expect(all).toBeLessThanOrEqual(135_300);
});
