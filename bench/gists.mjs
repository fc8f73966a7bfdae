/**
 * A stand-in for GitHub in a process of its own: it has the gists of all due proofs that the case `rechecks` seeds, and
 * makes each one on request, so that it needs no memory for them. Answers any message with the number of
 * requests so far.
 */
import { createServer } from 'node:http';
import { dueProof } from './due-proofs.mjs';

/** @import { AddressInfo } from 'node:net' */

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  const id = /^\/gists\/([0-9a-f]{32})$/.exec(request.url ?? '')?.[1] ?? '';
  const { identity, avatar, signature } = dueProof(parseInt(id, 16));
  const content = `A post.\nSig: ${signature}\n`;
  const files = { [`${avatar}.json`]: { truncated: false, content } };
  const gist = { public: true, truncated: false, owner: { login: identity, id: 7 }, files };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(gist));
});
server.listen(0, '127.0.0.1', () => process.send?.('ready'));
process.on('message', () => process.send?.({ port: /** @type {AddressInfo} */ (server.address()).port, requests }));
process.on('SIGTERM', () => process.exit(0));
