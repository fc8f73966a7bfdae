/** What the platform itself has signed of a binding, checked in this browser. Loaded where evidence is opened. */
import type { ChainLink, Evidence } from '@signet/sdk';
import type { Verification } from '@signet/verify';
import { rich, t } from '../i18n/i18n.js';
import { useAnswer } from '../shell/use-answer.js';
import { Seen } from '../parts/names.js';

interface Props {
  avatar: string;
  link: ChainLink;
  evidence: Evidence;
}

/** What a proof shows: by whom it is signed, or that it does not verify. */
type Shown = { by: 'zone'; zone: string } | { by: 'server' } | { by: 'nobody' };
/** What came of what the platform has signed of the end; null where it has signed nothing. */
type End = 'ok' | 'failed' | 'not_checkable' | null;

export default function PlatformProof({ avatar, link, evidence }: Props) {
  const answer = useAnswer(() => check({ avatar, link, evidence }), [link.uuid, evidence.sha256, !evidence.gone_proof]);
  if (answer.state === 'waiting') return <p class="waiting">{t('look.checking')}</p>;
  if (answer.state === 'failed') return null;
  const { shown, end } = answer.value;
  return (
    <>
      <p>{sentenceOf(shown, link.platform)}</p>
      {end !== null && <p>{t(`steps.platform_end_${end}`)}</p>}
    </>
  );
}

function sentenceOf(shown: Shown | null, platform: string) {
  if (shown === null) return t(platform === 'dns' ? 'look.zone_unsigned' : 'look.platform_unsigned');
  if (shown.by === 'zone') return rich('look.zone_signed', { zone: <Seen text={shown.zone} /> });
  return t(shown.by === 'server' ? 'look.account_server_signed' : 'look.platform_proof_wrong');
}

/** `shown` is null where the server kept nothing that a platform has signed. */
async function check({ avatar, link, evidence }: Props): Promise<{ shown: Shown | null; end: End }> {
  const { proof, gone_proof: goneProof } = evidence;
  if (!proof && !goneProof) return { shown: null, end: null };
  const [{ verifyExportProofs }, { verifyExportDnssec }] = await Promise.all([
    import('@signet/verify/atproto'),
    import('@signet/verify/dnssec'),
  ]);
  const { platform, identity, created_at } = link;
  const state = { last_checked_at: evidence.seen_at, is_valid: !goneProof, invalid_reason: '' };
  const file = { avatar, links: [link], bindings: [{ platform, identity, created_at, ...state, evidence }] };
  const records = await verifyExportProofs(file);
  const [zone] = verifyExportDnssec(file);
  const record = records.find(({ of }) => of === 'post');
  const end = goneProof ? stateOf(records.find(({ of }) => of === 'end')) : null;
  if (!proof) return { shown: null, end };
  if (zone) return { shown: zone.ok ? { by: 'zone', zone: zone.zone } : { by: 'nobody' }, end };
  return { shown: { by: record?.ok === true ? 'server' : 'nobody' }, end };
}

function stateOf(found: Verification | undefined): 'ok' | 'failed' | 'not_checkable' {
  if (!found?.ok) return found ? 'failed' : 'not_checkable';
  return found.complete ? 'ok' : 'not_checkable';
}
