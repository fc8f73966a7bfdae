import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';

/** A request as a server sees it. */
export interface SeenRequest {
  method: string;
  /** The whole address, as `https://host/path?query`. */
  url: string;
  /** Lowercase names. */
  headers: Record<string, string>;
}

const HOUR_MS = 3_600_000;

/**
 * Mastodon's check of signatures, in both forms, written from app/lib/signed_request.rb: rules for what must be signed,
 * a window of time, and the signature. Returns why it is refused, or null.
 */
export function refusalOfMastodon(request: SeenRequest, publicKeyPem: string, now: Date): string | null {
  const key = createPublicKey(publicKeyPem);
  return request.headers['signature-input'] === undefined
    ? refusalOfDraft(request, key, now)
    : refusalOfMessage(request, key, now);
}

/** The part of GoToSocial's check that differs: the old form alone, with the query or without. */
export function isSignedForGoToSocial(request: SeenRequest, publicKeyPem: string): boolean {
  const { headers: names = 'date', signature = '' } = partsOf(request.headers['signature'] ?? '');
  const url = new URL(request.url);
  return [url.pathname + url.search, url.pathname].some((target) =>
    verifies(createPublicKey(publicKeyPem), textOf(names.split(' '), request, target), signature),
  );
}

function refusalOfDraft(request: SeenRequest, key: KeyObject, now: Date): string | null {
  const {
    keyId,
    signature,
    algorithm = 'hs2019',
    headers: names = 'date',
  } = partsOf(request.headers['signature'] ?? '');
  if (!keyId || !signature) return 'Incompatible request signature';
  if (!['rsa-sha256', 'hs2019'].includes(algorithm)) return 'Unsupported signature algorithm';
  if (!isInWindow(Date.parse(request.headers['date'] ?? ''), now)) return 'date outside acceptable time window';
  const signed = names.toLowerCase().split(' ');
  if (!signed.includes('date')) return 'requires the Date header to be signed';
  if (!signed.includes('(request-target)')) return 'requires the (request-target) pseudo-header to be signed';
  if (request.method === 'GET' && !signed.includes('host')) return 'requires the Host header to be signed';
  const { pathname, search } = new URL(request.url);
  const isGood = [pathname + search, pathname].some((target) =>
    verifies(key, textOf(signed, request, target), signature),
  );
  return isGood ? null : 'Verification failed';
}

function refusalOfMessage(request: SeenRequest, key: KeyObject, now: Date): string | null {
  const [, label, params = '', covered = ''] =
    /^(\w+)=(\(([^)]*)\).*)$/.exec(request.headers['signature-input']!) ?? [];
  const created = /;created=(\d+)/.exec(params)?.[1];
  if (!/;keyid="[^"]+"/.test(params) || created === undefined) return 'Incompatible request signature';
  if (!isInWindow(Number(created) * 1000, now)) return 'date outside acceptable time window';
  const components = [...covered.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
  if (!components.includes('@method') || !components.includes('@target-uri')) return 'requires @method and @target-uri';
  const valueOf = (name: string) =>
    name === '@method' ? request.method : name === '@target-uri' ? request.url : (request.headers[name] ?? '');
  const lines = [...components.map((name) => `"${name}": ${valueOf(name)}`), `"@signature-params": ${params}`];
  const signature = new RegExp(`(?:^|, *)${label}=:([^:]*):`).exec(request.headers['signature'] ?? '')?.[1] ?? '';
  return verifies(key, lines.join('\n'), signature) ? null : 'Verification failed';
}

/** Five minutes behind the time that was signed, with an hour for clocks that differ. */
function isInWindow(createdMs: number, now: Date): boolean {
  const nowMs = now.getTime();
  return createdMs <= nowMs + HOUR_MS && nowMs <= createdMs + 300_000 + HOUR_MS;
}

function textOf(names: string[], { method, headers }: SeenRequest, target: string): string {
  return names
    .map((name) =>
      name === '(request-target)' ? `${name}: ${method.toLowerCase()} ${target}` : `${name}: ${headers[name] ?? ''}`,
    )
    .join('\n');
}

function partsOf(header: string): Partial<Record<'keyId' | 'algorithm' | 'headers' | 'signature', string>> {
  return Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
}

function verifies(key: KeyObject, text: string, signature: string): boolean {
  return createVerify('sha256').update(text).verify(key, signature, 'base64');
}
