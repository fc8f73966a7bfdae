/** Options that name the keys of logs, witnesses and observers which a reader trusts. */
import type { Command } from 'commander';
import { hasDisjointQuorums, neededOf } from '@signet/verify/internal/log';
import { logOnlyPolicy, type Policy, readLogKey, readPolicy } from '@signet/verify/log';
import { readRootKey, type RootKey } from '@signet/verify/dnssec';
import { type Observers, readObservers } from '@signet/verify/seen';
import { UsageError } from './exit.js';
import { textOf } from './terminal/io.js';
import { listed, positiveNumber } from './options.js';
import type { Printer } from './terminal/printer.js';

const WEAK_QUORUM =
  'Careful: two sets of witnesses without a common member meet the quorum of this policy, so a log could show two ' +
  'histories, each with all signatures. Ask for more than half of the witnesses.';

const ONE_OBSERVER =
  'Careful: one observer is enough by this list, so whoever runs it, or has its key, alone says what was seen.';

/** The trusted keys of a log and its witnesses. */
export interface TrustFlags {
  logKey?: string;
  policy?: string;
}

/** Adds the options for a log; `without` says which key is trusted when none is given. */
export function trustOptions(command: Command, without = 'the one that the server reports first'): Command {
  return command
    .option('--log-key <key>', `the verifier key of the log; without it, ${without}`)
    .option('--policy <file>', 'a policy (C2SP tlog-policy): keys of logs, and witnesses that have to sign');
}

/** Further keys of the root of the DNS. */
export interface RootKeyFlags {
  rootKey?: string[];
}

/** Adds `--root-key`. */
export function rootKeyOption(command: Command): Command {
  return command.option(
    '--root-key <record>',
    'a further key of the root of the DNS, as its DS record: "<key tag> <algorithm> 2 <SHA-256>"; may be repeated',
    listed,
  );
}

/** The keys that were named. @throws UsageError for what is none */
export function rootKeysIn({ rootKey = [] }: RootKeyFlags): RootKey[] {
  return rootKey.map((text) => {
    const key = readRootKey(text);
    if (key) return key;
    throw new UsageError(`${JSON.stringify(text)} is no key of the root: <key tag> <algorithm> 2 <SHA-256 in hex>.`);
  });
}

/** What may show that an identity agreed. */
export interface HereFlags extends RootKeyFlags {
  shownHere?: boolean;
  shownByPlatform?: boolean;
}

/** Adds `--shown-here` and `--shown-by-platform`. */
export function hereOption(command: Command): Command {
  const shown = command
    .option('--shown-here', 'refuse what rests on the word of the server: posts, contract wallets')
    .option('--shown-by-platform', 'refuse it unless its platform has signed it, which is checked (Bluesky, DNS)');
  return rootKeyOption(shown).hook('preAction', (called) => {
    const { rootKey, shownByPlatform } = called.opts<HereFlags>();
    if (rootKey === undefined || shownByPlatform) return;
    throw new UsageError('--root-key is about what zones have signed: add --shown-by-platform.');
  });
}

/** The trusted observers of posts. */
export interface ObserverFlags {
  observers?: string;
}

/** Adds the option that names the observers. */
export function observersOption(command: Command): Command {
  return command.option(
    '--observers <file>',
    'a list of observers: servers that look at the same posts (docs/observers.md)',
  );
}

/** The text of the list that was named; undefined without one. @throws UsageError if it cannot be read or used */
export async function observersText({ observers }: ObserverFlags, printer: Printer): Promise<string | undefined> {
  if (observers === undefined) return undefined;
  const text = await textOf(observers);
  if (neededOf(observersIn(text)) === 1) printer.note(ONE_OBSERVER);
  return text;
}

/** The observers of a list. @throws UsageError if it cannot be used */
export function observersIn(text: string): Observers {
  try {
    return readObservers(text);
  } catch (error) {
    throw new UsageError(`The list of observers cannot be used: ${(error as Error).message}`);
  }
}

/** How old what the witnesses signed may be, where a log is looked at now. */
export interface AgeFlags {
  witnessSeconds?: number;
}

/** Adds the option, which needs a policy; `usual` is what holds without it, in seconds. */
export function ageOption(command: Command, usual: number): Command {
  return command
    .option(
      '--witness-seconds <seconds>',
      `how long ago the witnesses of the policy may have signed (default: ${usual})`,
      positiveNumber,
    )
    .hook('preAction', (called) => {
      const { witnessSeconds, policy } = called.opts<AgeFlags & TrustFlags>();
      if (witnessSeconds === undefined || policy !== undefined) return;
      throw new UsageError('--witness-seconds is about the witnesses of a policy: add --policy.');
    });
}

/** What the option of `completeOption` sets. */
export interface CompleteFlags extends TrustFlags, AgeFlags {
  complete?: boolean;
}

/** Adds `--complete`, and whom to believe about the log, which is asked with it only. */
export function completeOption(command: Command): Command {
  const complete = command.option(
    '--complete',
    'refuse an answer unless the map over the log proves that nothing is left out',
  );
  return ageOption(trustOptions(complete), 86_400).hook('preAction', (called) => {
    const { complete: isComplete, shownByPlatform, logKey, policy } = called.opts<CompleteFlags & HereFlags>();
    if (isComplete || shownByPlatform || (logKey === undefined && policy === undefined)) return;
    const name = policy === undefined ? '--log-key' : '--policy';
    throw new UsageError(`${name} says whom to believe about the log, which is asked with --complete: add that.`);
  });
}

/**
 * The text of the policy that was named. Warns of a quorum with which a log could show two histories.
 * @throws UsageError if it cannot be read or used
 */
export async function policyText({ policy }: TrustFlags, printer: Printer): Promise<string | undefined> {
  if (policy === undefined) return undefined;
  const text = await textOf(policy);
  if (hasDisjointQuorums(policyIn(text))) printer.note(WEAK_QUORUM);
  return text;
}

/** The policy, or the one key, that was named; undefined without either. @throws UsageError if it cannot be used */
export async function givenPolicy(flags: TrustFlags, printer: Printer): Promise<Policy | undefined> {
  const text = await policyText(flags, printer);
  if (text !== undefined) return policyIn(text);
  if (flags.logKey === undefined) return undefined;
  const key = readLogKey(flags.logKey);
  if (key) return logOnlyPolicy(key);
  throw new UsageError('The key is not a verifier key of a log: <origin>+<id>+<Base64>.');
}

function policyIn(text: string): Policy {
  try {
    return readPolicy(text);
  } catch (error) {
    throw new UsageError(`The policy cannot be used: ${(error as Error).message}`);
  }
}
