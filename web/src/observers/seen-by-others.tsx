/**
 * What other servers saw of a binding. The server of this page collects their signed statements and names their keys
 * (OBSERVERS); this browser verifies the signatures, and says that the server chose whose they are. Without a request
 * to the observers themselves, which would learn who is looked up.
 */
import type { SeenVerdict } from '@signet/verify/seen';
import { WALLET_PLATFORMS } from '@signet/verify';
import { rich, t } from '../i18n/i18n.js';
import type { Binding } from '../look/bindings.js';
import { CheckedHere } from '../parts/signs.js';
import { Time } from '../parts/time.js';
import { API_URL } from '../shell/service.js';
import { useAnswer } from '../shell/use-answer.js';

/** GET /v1/proofs/seen/keys, as far as it is read. */
interface Keys {
  quorum: number;
  observers: { operator: string; verifier_keys: string[] }[];
}

let keys: Promise<Keys | null> | undefined;

/** One sentence where the server shows statements of others, and nothing elsewhere. */
export function SeenByOthers({ binding }: { binding: Binding }) {
  const { platform, identity, made } = binding;
  const payload = WALLET_PLATFORMS.includes(platform) ? undefined : made?.item.signature_payload;
  const answer = useAnswer(
    (signal) => verdictOn({ platform, identity, payload }, signal),
    [platform, identity, payload],
  );
  if (answer.state !== 'there' || answer.value === null) return null;
  const { result, count, of, needed, lastAt, observers } = answer.value;
  const time = <Time seconds={lastAt ?? 0} />;
  const state = { seen: 'ok', not_seen: 'failed', no_quorum: 'not_checkable', no_claim: 'not_checkable' } as const;
  const names = observers.map(({ operator }) => operator).join(', ');
  return (
    <CheckedHere state={state[result]}>
      {result === 'seen' && rich('look.seen_by_others', { count, of, time })}
      {result === 'not_seen' && rich('look.not_seen_by_others', { count, of, time })}
      {result === 'no_quorum' && t('look.too_few_others', { count, of, needed: needed ?? 0 })}{' '}
      <span class="small">{t('look.others_chosen', { names })}</span>
    </CheckedHere>
  );
}

/** What the statements that the server shows say together; null where it shows none, or fewer than two observers. */
async function verdictOn(
  { platform, identity, payload }: { platform: string; identity: string; payload: string | undefined },
  signal: AbortSignal,
): Promise<SeenVerdict | null> {
  const shown = payload === undefined ? null : await (keys ??= readKeys());
  if (!shown || payload === undefined) return null;
  const { judgeSeen, linkHash, readObservers } = await import('@signet/verify/seen');
  const lines = shown.observers.flatMap(({ operator, verifier_keys: own }) =>
    own.map((key) => `observer ${operator} ${key}\n`),
  );
  const list = readObservers(lines.join(''));
  const link = linkHash(payload);
  const answer = await fetch(`${API_URL}/v1/proofs/seen?link=${link}`, { signal });
  const { statements } = (await answer.json()) as { statements: { note: string }[] };
  const notes = statements.map(({ note }) => note);
  const believed = { ...list, quorum: shown.quorum || null };
  const verdict = judgeSeen(notes, { link, platform, identity }, believed, { now: Date.now() / 1000 });
  return verdict.result === 'no_claim' ? null : verdict;
}

/** The observers whose statements the server shows; null where it shows none. Asked once a visit. */
async function readKeys(): Promise<Keys | null> {
  const answer = await fetch(`${API_URL}/v1/proofs/seen/keys`);
  const shown = answer.ok ? ((await answer.json()) as Keys) : null;
  return shown && shown.observers.length > 0 ? shown : null;
}
