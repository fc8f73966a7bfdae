/** Mistakes of somebody who writes JavaScript, or an `as never`: each is named by the sentence of its error. */
import { createClient } from '../src/index.js';

const baseUrl = 'http://127.0.0.1:1';
const client = createClient({ baseUrl });
const avatar = `0x02${'a'.repeat(64)}`;

it.each([
  [undefined, 'createClient needs options with baseUrl.'],
  [{}, 'baseUrl has to be the address of a server, such as https://signet.example, not undefined.'],
  [{ baseUrl: 'localhost:3000' }, 'not "localhost:3000"'],
  [{ baseUrl: 'signet.example' }, 'not "signet.example"'],
  [{ baseUrl: 'ftp://signet.example' }, 'not "ftp://signet.example"'],
  [{ baseUrl: '' }, 'not ""'],
  [
    { baseUrl, verify: 'complet' },
    'verify has to be none, signatures, log, complete, posts or { observers }, not "complet"',
  ],
  [{ baseUrl, verify: 'log ' }, 'not "log "'],
  [{ baseUrl, verify: null }, 'not null'],
  [{ baseUrl, verify: { quorum: 2 } }, 'not {"quorum":2}'],
  [{ baseUrl, verify: 'log', accept: 'there' }, `accept has to be 'here' or absent, not "there".`],
])('the options %j are refused at once', (options, sentence) => {
  const make = () => createClient(options as never);

  expect(make).toThrow(TypeError);
  expect(make).toThrow(sentence);
});

it.each(['http://127.0.0.1:3000', 'https://signet.example/', 'HTTPS://signet.example/below'])(
  '%s is an address',
  (url) => {
    expect(() => createClient({ baseUrl: url })).not.toThrow();
  },
);

it.each([undefined, null, {}, 7])('the signer %j is refused before anything is sent', async (signer) => {
  const link = { platform: 'github', identity: 'alice-demo', signer: signer as never };
  const sentence = 'signer has to be a wallet that can sign, a private key, or what fromWallet returned.';

  await expect(client.bind(link)).rejects.toThrow(sentence);
  await expect(client.unbind(link)).rejects.toThrow(sentence);
  await expect(client.draft(link)).rejects.toThrow(sentence);
  await expect(
    client.kv.patch({ platform: 'self', identity: avatar, patch: {}, signer: signer as never }),
  ).rejects.toThrow(sentence);
});
