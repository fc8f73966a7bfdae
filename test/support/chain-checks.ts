import { decodeBase64, isPersonalSignature } from '@signet/verify';
import { serviceCurves } from '../../src/crypto/ecdsa.js';
import type { Answer, RunningApp } from './app.js';

type Reader = Pick<RunningApp, 'get'>;

/** A link as the service answers it; `id` and `avatar` only in the feed. */
export interface AnsweredLink {
  id: number;
  avatar: string;
  action: string;
  platform: string;
  identity: string;
  proof_location: string;
  created_at: string;
  signature: string;
  signature_payload: string;
  extra: Record<string, unknown>;
  uuid: string;
  archive_id: string;
  /** Where its text was erased. */
  erased?: object;
}

/** The whole chain, all pages, oldest link first. */
export async function readChain(client: Reader, publicKey: string): Promise<AnsweredLink[]> {
  const links: AnsweredLink[] = [];
  for (let page = 1; page !== 0;) {
    const { body } = await ok(client.get(`/v1/proofchain?public_key=${publicKey}&page=${page}`));
    links.push(...body.proof_chain);
    page = body.pagination.next;
  }
  return links;
}

/** All links after `lastId`, by following the cursor until nothing comes. */
export async function readFeed(client: Reader, lastId = 0): Promise<AnsweredLink[]> {
  const links: AnsweredLink[] = [];
  for (;;) {
    const { body } = await ok(client.get(`/v1/proofchain/changes?last_id=${links.at(-1)?.id ?? lastId}&count=100`));
    if (body.links.length === 0) return links;
    links.push(...body.links);
  }
}

/**
 * What a sceptical reader finds wrong with a chain; empty if it is a linear chain in which the Avatar signed every
 * link.
 */
export function problemsOfChain(avatar: string, links: AnsweredLink[]): string[] {
  return links.flatMap((link, index) => {
    const { action, platform, identity, created_at: createdAt, uuid } = link;
    const prev = links[index - 1]?.signature ?? null;
    const signed = JSON.stringify({ action, avatar, created_at: createdAt, identity, platform, prev, uuid });
    const bytes = decodeBase64(link.signature);
    return [
      ...(link.signature_payload === signed ? [] : [`link ${index + 1} has the text ${link.signature_payload}`]),
      ...(bytes && isPersonalSignature(signed, bytes, avatar, { curves: serviceCurves })
        ? []
        : [`link ${index + 1} is not signed by the Avatar`]),
    ];
  });
}

/** What is wrong with the ids of a feed that was read from the start; empty if they are 1, 2, 3, ... */
export function problemsOfFeed(links: Pick<AnsweredLink, 'id'>[]): string[] {
  return links.flatMap(({ id }, index) => (id === index + 1 ? [] : [`position ${index + 1} has id ${id}`]));
}

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return answer;
}
