/** The links that made bindings, and whether they show here that the identities agreed. */
import { type CheckedLink, type SignedLink, type Step, verifyChain } from '@signet/verify';
import type { ChainLink, ProofRecord, Shown } from '../answers.js';
import { compressed, demand } from '../checks.js';
import { VerificationError } from '../errors.js';
import { isSameName } from './canonical-name.js';

/** A binding, as far as the link that made it is known by it. */
export type BindingOfLink = Pick<ProofRecord, 'platform' | 'identity' | 'created_at'>;

/**
 * Finds the links that made these bindings in the verified chain, one for each, in their order.
 * @returns null where one of them is not bound at the end of the chain
 * @throws VerificationError for a bad chain
 */
export function linksThatMade(avatar: string, links: ChainLink[], bindings: BindingOfLink[]): CheckedLink[] | null {
  const result = verifyChain(links as SignedLink[], { avatar: compressed(avatar) });
  demand(result, `The chain of ${avatar}`);
  const live = new Set(result.bindings);
  const made = result.links.filter(({ link }) => live.has(link));
  const found = bindings.map(({ platform, identity, created_at }) =>
    made.find(({ link }) => link.platform === platform && link.identity === identity && link.created_at === created_at),
  );
  return found.every((one) => one !== undefined) ? found : null;
}

/** The link that makes a binding at the end of the verified chain. @throws VerificationError for a bad chain */
export function bindingNamed(
  avatar: string,
  links: ChainLink[],
  { platform, identity }: Pick<SignedLink, 'platform' | 'identity'>,
): CheckedLink | undefined {
  const named = links.filter((link) => link.platform === platform && isSameName(link, identity));
  return linksThatMade(avatar, links, named.slice(-1))?.[0];
}

/**
 * What shows that the identity of a binding agreed, by the link that made it, which was checked and did not fail:
 * `here` if every check was made, but for `time`. A clock that was wrong leaves open when the identity agreed, and not
 * that it did.
 */
export function shownBy({ steps }: Pick<CheckedLink, 'steps'>): Shown {
  return steps.every(({ name, state }) => state === 'ok' || name === 'time') ? 'here' : 'by the server';
}

/** Refuses links that rest on the word of the server. @throws VerificationError (`not_shown_here`) that names them */
export function demandShownHere(made: CheckedLink[]): void {
  const others = made.filter((one) => shownBy(one) !== 'here');
  if (others.length === 0) return;
  const names = others.map(({ link }) => nameOf(link));
  const steps = others.flatMap(({ link, steps: own }): Step[] =>
    own.filter(({ state }) => state !== 'ok').map((step) => ({ ...step, detail: `${nameOf(link)}: ${step.detail}` })),
  );
  throw new VerificationError(`Rests on the word of the server: ${names.join(', ')}.`, steps, 'not_shown_here');
}

/** How messages name a binding. */
export function nameOf({ platform, identity }: Pick<BindingOfLink, 'platform' | 'identity'>): string {
  return `${platform} ${JSON.stringify(identity)}`;
}
