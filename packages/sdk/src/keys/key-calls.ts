/** What an Avatar says about its keys: `client.keys`. The rules, and what signs, are loaded when they are used. */
import { findKey, inOrder, keyProblem } from '../checks.js';
import type { CallOptions } from '../client/call-options.js';
import type { CheckedReads } from '../client/checked-reads.js';
import type { Client } from '../client/client.js';
import type { PagedList } from '../client/paged-list.js';
import type { Wallet } from '../signers/wallets.js';
import type { KeyWrites } from './write-keys.js';
import type {
  AddKeyRequest,
  AvatarKeys,
  CommitRequest,
  Followed,
  FollowedStep,
  KeyEvent,
  KeyRequest,
  Predecessors,
  RecordedKeyEvent,
  Rehearsal,
  RehearseRequest,
  RevokeKeyRequest,
  SucceedRequest,
  VetoRequest,
} from './key-types.js';

/** The calls below `client.keys`. A server before 0.3.0 has no key events, which reads as none. */
export function keyCalls(reads: CheckedReads, client: Client) {
  const reading = () => import('./read-keys.js');
  const say = async <Action extends keyof KeyWrites>(action: Action, request: Parameters<KeyWrites[Action]>[2]) =>
    (await import('./write-keys.js')).writeKeys(action, reads, client, request as never);
  return {
    /** What holds for the keys of an Avatar now, computed here from its key events. @throws what `chain` throws */
    state: async (avatar: string, options: CallOptions = {}): Promise<AvatarKeys> =>
      (await reading()).stateOfKeys(reads, avatar, options),
    /** The key events of an Avatar, oldest first. */
    chain: (avatar: string, options: CallOptions = {}): PagedList<KeyEvent> => keyChain(reads, avatar, options),
    /**
     * Who has come after an Avatar, and after that one, and so on: 16 in a row at most. The key events of each are
     * checked; the Avatar itself where nobody has come after it. @throws what `chain` throws; VerificationError
     */
    follow: async (avatar: string, options: CallOptions = {}): Promise<Followed> =>
      (await reading()).followKeys(reads, avatar, options),
    /** Who came before an Avatar, by the word of the server. */
    predecessors: async (avatar: string, options: CallOptions = {}): Promise<Predecessors> =>
      (await reading()).predecessorsOf(reads, avatar, options),
    /**
     * The name of a recovery key: its hash, which says nothing of it until it signs, or `eip155` for its public
     * address, as for a hardware wallet. A wallet that does not tell its key is asked for one signature.
     * @throws what `fromWallet` throws: a contract wallet cannot be a recovery key (`wrong_signer`)
     */
    nameOf: async (wallet: Wallet, form: 'key' | 'eip155' = 'key'): Promise<string> =>
      (await reading()).nameOf(wallet, form),
    /**
     * Signs a text that says nothing with a recovery key, and compares the key here: a person sees that their words are
     * the right ones. Nothing of it is sent; the server is asked for the key events.
     * @throws what `fromWallet` and `state` throw
     */
    rehearse: async (request: RehearseRequest): Promise<Rehearsal> => (await reading()).rehearse(reads, request),
    /**
     * Names recovery keys, highest first, by the Avatar's own key.
     *
     *     const recovery = [await client.keys.nameOf(onPaper), await client.keys.nameOf(ledger, 'eip155')];
     *     const { event } = await client.keys.commit({ signer, recovery });
     *
     * @throws KeyRefusedError where the rules refuse it, such as `already_pending`; NotFoundError of a server before
     *   0.3.0; BusyError (`clock_untrue`); VerificationError; what `fromWallet` and submits throw
     */
    commit: (request: CommitRequest): Promise<RecordedKeyEvent> => say('commit', request),
    /** Stops all writes of the Avatar, for 7 days by its own key and 30 by a recovery key. @throws as `commit` */
    freeze: (request: KeyRequest): Promise<RecordedKeyEvent> => say('freeze', request),
    /** Ends a freeze, by the key that made it or a higher one. @throws as `commit` */
    thaw: (request: KeyRequest): Promise<RecordedKeyEvent> => say('thaw', request),
    /**
     * Names the Avatar that comes after this one, for good. At once by the main key and the highest committed key;
     * otherwise all writes stop, and it is final at `event.due_at`.
     *
     *     await client.keys.succeed({ avatar: lost, signer: onPaper, successor: newKey });
     *
     * @throws as `commit`
     */
    succeed: (request: SucceedRequest): Promise<RecordedKeyEvent> => say('succeed', request),
    /** Makes a pending commit or succession void, by a key above the one that signed it. @throws as `commit` */
    veto: (request: VetoRequest): Promise<RecordedKeyEvent> => say('veto', request),
    /**
     * Lets a key of an app sign content for the Avatar, by the Avatar's own key; the key of the app signs too.
     *
     *     const app = fromAppKey({ avatar, algorithm: 'ed25519', privateKey });
     *     await client.keys.add({ signer, app, scopes: ['kv:github:alice'] });
     *     await client.kv.patch({ platform: 'github', identity: 'alice', patch, signer: app });
     *
     * Scopes name identities in their canonical form. @throws as `commit`
     */
    add: (request: AddKeyRequest): Promise<RecordedKeyEvent> => say('add', request),
    /**
     * Ends the key of an app for good, by the Avatar's own key, a recovery key, or the key itself (`signer: app`).
     * @throws as `commit`
     */
    revoke: (request: RevokeKeyRequest): Promise<RecordedKeyEvent> => say('revoke', request),
  };
}

/** What `ask` answers of the Avatar that comes after all others. @throws what `keys.follow` and `ask` throw */
export async function answerOfLast<Answer extends object>(
  reads: CheckedReads,
  of: string,
  options: CallOptions,
  ask: (avatar: string) => Promise<Answer | null>,
): Promise<(Answer & { followed: FollowedStep[] }) | null> {
  const { avatar, steps } = await (await import('./read-keys.js')).followKeys(reads, of, options);
  const answer = await ask(avatar);
  return answer && { ...answer, followed: steps };
}

/** The key events of an Avatar, oldest first. */
export function keyChain(reads: CheckedReads, avatar: string, { signal }: CallOptions): PagedList<KeyEvent> {
  const key = findKey(avatar) ?? '';
  return reads.list<KeyEvent>({
    path: '/v1/keys/chain',
    query: { avatar: key },
    member: 'keys',
    signal,
    isOptional: true,
    wrong: keyProblem(avatar),
    check: async (isFromFirst) => {
      const { keyChecker, provenKey } = await import('./read-keys.js');
      return inOrder(keyChecker(key, isFromFirst), (event) => reads.prove(provenKey(event, key), signal));
    },
    completes: (complete) => complete.keys(key, signal),
  });
}
