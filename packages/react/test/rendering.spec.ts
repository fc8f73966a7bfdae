/** What needs no server: keys of queries, and what is rendered before anything is there. */
import { createClient } from '@signet/sdk';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { identityQuery, SignetProof, SignetProvider, useBindings, useIdentity, useProfile } from '../src/index.js';

const baseUrl = 'http://signet.example';
const avatar = `0x02${'a'.repeat(64)}`;
const account = { platform: 'github', identity: 'alice' };

const render = (child: ReactNode, options: object = {}) =>
  renderToString(createElement(SignetProvider, { client: createClient({ baseUrl, ...options }) }, child));

function Everything(): ReactNode {
  const asked = [
    useIdentity(account),
    useBindings(avatar),
    useProfile(avatar),
    useIdentity(undefined),
    useBindings(undefined),
  ];
  return asked.map(({ status, fetchStatus }) => `${status} ${fetchStatus}`).join();
}

it('keeps what is asked of another server, or with other demands, apart', () => {
  const keyOf = (options: object) =>
    JSON.stringify(identityQuery(createClient({ baseUrl: baseUrl, ...options }), account).queryKey);

  const keys = [{}, { baseUrl: 'http://other.example' }, { trustServer: true }, { demand: { log: true } }].map(keyOf);

  expect(new Set(keys).size).toBe(4);
  expect(keyOf({ demand: { log: false } })).toBe(keys[0]);
  expect(keyOf({ baseUrl: `${baseUrl}/` })).toBe(keys[0]);
});

it('has the element with its server, and a text in it until it is loaded', () => {
  const proof = (children?: ReactNode) =>
    render(createElement(SignetProof, { ...account, avatar, className: 'proof', children }));

  expect(proof()).toBe(
    `<signet-proof platform="github" identity="alice" avatar="${avatar}" ` +
      `server="${baseUrl}" class="proof">alice (github)</signet-proof>`,
  );
  expect(proof('…')).toContain('>…</signet-proof>');
});

it('says that a provider is missing', () => {
  expect(() => renderToString(createElement(Everything))).toThrow('There is no <SignetProvider client={…}> above');
});

it('asks for nothing while it is rendered, nor where there is nothing to ask for', () => {
  const asked: unknown[] = [];
  const noting = (input: unknown) => {
    asked.push(input);
    return Promise.reject(new Error('not here'));
  };

  expect(render(createElement(Everything), { fetch: noting })).toBe(
    'pending fetching,pending fetching,pending fetching,pending idle,pending idle',
  );
  expect(asked).toEqual([]);
});
