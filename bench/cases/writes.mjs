/**
 * Payloads and submits. Every submit is sent once, so they are made before: fresh keys, a uuid sealed with the secret
 * that the service was started with, and real signatures.
 */
import { canonicalJson } from '@signet/verify';
import { handles, person, sign, smallContent, uncompressed, wallet } from '../people.mjs';
import { built } from '../../scripts/built.mjs';
import { READS } from './reads.mjs';

/** @import { PayloadCase, SubmitCase } from '../types.d.ts' */

const { Environment } = await built('config/environment.js');
const { PayloadSeal } = await built('ledger/payload.seal.js');

/** Shared by the service and the benchmark, so that payloads need no request of their own. */
export const SECRET = 'the benchmark seals its payloads with this';
const seal = new PayloadSeal(Buffer.from(SECRET), new Environment());

const WALLETS = { ratios: { 16: 1.5, 64: 3 }, text: '150 % of limit (c) at 16 connections, 300 % at 64' };
const PATCHES = { ratios: { 16: 1.2, 64: 2.5 }, text: '120 % of limit (c) at 16 connections, 250 % at 64' };
const batch = process.pid.toString(36) + Date.now().toString(36);
let made = 0;

/** A create of a fresh wallet by a fresh Avatar: the body, and its new values for the limit. */
export function freshBinding() {
  const name = `${batch} ${made++}`;
  const owner = person(name);
  const { address, ...key } = wallet(name);
  const fields = {
    kind: 'proof',
    avatar: owner.avatar,
    action: 'create',
    platform: 'ethereum',
    identity: address,
    patch: null,
  };
  const { uuid, createdAt } = seal.issue(fields, null, new Date());
  const created_at = String(createdAt.getTime() / 1000);
  const link = {
    action: 'create',
    avatar: owner.avatar,
    created_at,
    identity: address,
    platform: 'ethereum',
    prev: null,
    uuid,
  };
  const text = canonicalJson(link);
  const signature = sign(owner, text);
  const wallet_signature = sign(key, text);
  const body = {
    action: 'create',
    platform: 'ethereum',
    identity: address,
    public_key: owner.avatar,
    uuid,
    created_at,
    extra: { signature, wallet_signature },
  };
  return {
    method: 'POST',
    path: '/v1/proof',
    body,
    words: { text, avatar: owner.avatar, address, uuid, signature, wallet_signature },
    check: { text, signature },
  };
}

/** The first patch of a fresh Avatar. */
export function freshPatch() {
  const owner = person(`${batch} ${made++}`);
  const identity = uncompressed(owner);
  const patch = smallContent(made);
  const fields = {
    kind: 'kv',
    avatar: owner.avatar,
    action: 'kv',
    platform: 'self',
    identity,
    patch: canonicalJson(patch),
  };
  const { uuid, createdAt } = seal.issue(fields, null, new Date());
  const created_at = createdAt.getTime() / 1000;
  const text = canonicalJson({
    action: 'kv',
    avatar: owner.avatar,
    created_at,
    identity,
    patch,
    platform: 'self',
    prev: null,
    uuid,
  });
  const signature = sign(owner, text);
  const body = { avatar: owner.avatar, platform: 'self', identity, patch, uuid, created_at, signature };
  return {
    method: 'POST',
    path: '/v1/kv',
    body,
    words: { text, patch: fields.patch, identity, avatar: owner.avatar, uuid, signature },
    check: { text, signature },
  };
}

/** @type {(PayloadCase | SubmitCase)[]} */
export const WRITES = [
  {
    name: 'payload',
    title: 'payload issue',
    limit: 'fastify',
    requests: () =>
      Array.from({ length: 500 }, (_, index) => {
        const { github } = handles(index);
        return {
          method: 'POST',
          path: '/v1/proof/payload',
          body: { action: 'create', platform: 'github', identity: github, public_key: person(index).avatar },
        };
      }),
  },
  {
    name: 'submit-wallet',
    title: 'wallet binding submit',
    limit: 'submit',
    target: WALLETS,
    fresh: freshBinding,
    expect: 201,
  },
  { name: 'submit-kv', title: 'KV submit', limit: 'submit', target: PATCHES, fresh: freshPatch, expect: 201 },
  {
    name: 'mixed',
    title: 'mixed: 90 % exact lookups, 10 % wallet submits',
    limit: 'submit',
    fresh: freshBinding,
    reads: READS[0].requests,
    readsEach: 9,
  },
];
