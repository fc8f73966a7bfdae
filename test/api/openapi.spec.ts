import { decodeBase64 } from '../../src/crypto/encoding.js';
import { recoverPersonalSigner } from '../../src/crypto/personal-sign.js';
import { addressOfKey } from '../../src/crypto/ethereum-address.js';
import { LINK_EXAMPLE } from '../../src/proof-chain/chain-link.example.js';
import { type RunningApp, startApp } from '../support/app.js';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('the API page', () => {
  it('describes every endpoint of the contract in OpenAPI 3.1', async () => {
    const { body } = await app.get('/openapi.json');

    expect(body.openapi).toBe('3.1.0');
    const endpoints = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(endpoints).toEqual(
      expect.arrayContaining([
        'GET /healthz',
        'POST /v1/proof/payload',
        'POST /v1/proof',
        'GET /v1/proof',
        'GET /v1/proof/exists',
        'GET /v1/proofchain',
        'GET /v1/proofchain/changes',
      ]),
    );
  });

  it('gives every operation a summary, a tag and a described success', async () => {
    const { body } = await app.get('/openapi.json');

    for (const [path, methods] of Object.entries(
      body.paths as Record<string, Record<string, Record<string, unknown>>>,
    )) {
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method} ${path}`;
        expect({ name, summary: operation['summary'] }).toEqual({ name, summary: expect.stringMatching(/\w+/) });
        expect({ name, tags: operation['tags'] }).toEqual({ name, tags: [expect.any(String)] });
        expect({ name, statuses: Object.keys(operation['responses'] as object) }).toEqual({
          name,
          statuses: expect.arrayContaining([expect.stringMatching(/^20/)]),
        });
      }
    }
  });

  it('shows an example that verifies', () => {
    const { signature_payload: text, signature, avatar, extra, identity } = LINK_EXAMPLE;

    expect(recoverPersonalSigner(text, decodeBase64(signature)!)).toBe(avatar);
    expect(addressOfKey(recoverPersonalSigner(text, decodeBase64(extra.wallet_signature)!)!)).toBe(identity);
    expect(JSON.parse(text)).toMatchObject({
      identity,
      avatar,
      uuid: LINK_EXAMPLE.uuid,
      created_at: LINK_EXAMPLE.created_at,
    });
  });

  it('serves its assets itself', async () => {
    const page = await (await fetch(`${app.baseUrl}/docs`)).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);

    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset).not.toMatch(/^(https?:)?\/\//);
      const answer = await fetch(new URL(asset, `${app.baseUrl}/docs`));
      expect({ asset, status: answer.status }).toEqual({ asset, status: 200 });
      await answer.arrayBuffer();
    }
  });
});
