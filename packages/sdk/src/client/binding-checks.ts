/** Checks what a server says of bindings against the signed chains, and the demands of the client. */
import type { CheckedLink } from '@signet/verify';
import { isSameName } from '@signet/verify/names';
import type { ChainLink, IdentityGroup, ProofRecord, ProofState } from '../answers.js';
import { compressed, findKey, refuse } from '../checks.js';
import type { BindingName } from './call-options.js';
import type { CheckedReads } from './checked-reads.js';
import type { Completeness } from './paged-list.js';
import { type BindingResting, bindingResting, BOUND_BY_THE_SERVER, demandHere } from './resting.js';

/** The link that made one binding, and the chain in which it stands. */
export async function linkOf(
  reads: CheckedReads,
  avatar: string,
  { platform, identity }: BindingName,
  { created_at }: ProofState,
  signal: AbortSignal | undefined,
): Promise<{ link: CheckedLink; chain: ChainLink[] } | null> {
  const [chain, { linksThatMade }] = await Promise.all([reads.linksOf(avatar, signal), reads.rules()]);
  const named = chain.filter((link) => link.platform === platform && isSameName(link, identity)).slice(-1);
  const bindings = named.map((link) => ({ platform, identity: link.identity, created_at }));
  const link = linksThatMade(avatar, chain, bindings)?.[0];
  return link ? { link, chain } : null;
}

/**
 * Checks the bindings of one Avatar. The chain is read after the answer, so a revoke between the two is looked at a
 * second time.
 */
export async function checkGroup(
  reads: CheckedReads,
  group: IdentityGroup,
  again: () => Promise<IdentityGroup[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (findKey(group.avatar) === null)
    refuse('The answer', `It shows ${JSON.stringify(group.avatar)}, which is no key.`);
  if (await isGroupBound(reads, group, signal)) return;
  const now = (await again()).find(({ avatar }) => avatar === group.avatar);
  if (now && (await isGroupBound(reads, now, signal))) {
    Object.assign(group, now);
    return;
  }
  refuse('The answer', `It shows a binding of ${group.avatar} that its signed chain does not have.`);
}

async function isGroupBound(
  reads: CheckedReads,
  group: IdentityGroup,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { avatar, proofs } = group;
  const [{ links, map, keys }, { linksThatMade }] = await Promise.all([
    reads.wholeChainOf(avatar, signal),
    reads.rules(),
  ]);
  const made = linksThatMade(avatar, links, proofs);
  if (!made) return false;
  if (keys && map) {
    const { applyKeys, demandOwn } = await import('../keys/applied-keys.js');
    demandOwn(avatar, { links, made, said: proofs }, keys, map);
    applyKeys(group, keys);
  }
  const found = await bearOut(reads, avatar, made, proofs, map, signal);
  for (const [index, proof] of proofs.entries()) proof.resting = found[index]!;
  return true;
}

/**
 * Demands of links that made bindings that they are in the log, rest on nothing but what is here, and are borne out by
 * what a look or other servers saw, as the client is set.
 * @param said what the server says of each
 * @param map by which the chain is complete
 */
export async function bearOut(
  reads: CheckedReads,
  avatar: string,
  made: CheckedLink[],
  said: Pick<ProofRecord, 'is_valid'>[],
  map: Completeness | null,
  signal: AbortSignal | undefined,
): Promise<BindingResting[]> {
  const { demandsHere, demandsPosts, platform } = reads.settings;
  const base = reads.resting(map);
  const none = { look: null, observers: null, isProved: false };
  const allOf = (restings: BindingResting[]) =>
    made.map((one, index) => ({ made: one, isValid: said[index]!.is_valid, resting: restings[index]! }));
  // What no look can bear out is refused before anything else is asked.
  if (demandsHere && !demandsPosts) demandHere(allOf(made.map((one) => bindingResting(one, base, none))));
  const times: Record<string, number> = {};
  for (const { link } of made) {
    const entries = await reads.entriesOf({ link, avatar: compressed(avatar) }, signal);
    if (entries) times[link.uuid] = entries.recordedAt;
  }
  const areValid = said.map(({ is_valid }) => is_valid);
  const witnesses = await reads.witnesses(compressed(avatar), made, areValid, signal);
  let proved: boolean[] = [];
  if (platform) {
    const { provedByPlatform } = await import('../look/platform-proofs.js');
    const bindings = { avatar: compressed(avatar), made, times };
    proved = await provedByPlatform(reads.transport, bindings, platform, signal);
  }
  const restings = made.map((one, index) =>
    bindingResting(one, base, { ...witnesses[index]!, isProved: proved[index] ?? false }),
  );
  if (demandsHere) demandHere(allOf(restings));
  if (platform) demandHere(allOf(restings), true);
  return restings;
}

/** What a server writes in the place of our own findings does not count. */
export function restOnServer(answer: { resting: BindingResting }): void {
  answer.resting = BOUND_BY_THE_SERVER;
}
