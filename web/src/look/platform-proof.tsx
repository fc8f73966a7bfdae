/** What the platform itself has signed of a binding, checked in this browser. Loaded where evidence is opened. */
import type { ChainLink, Evidence } from '@signet/sdk';
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

export default function PlatformProof({ avatar, link, evidence }: Props) {
  const answer = useAnswer(() => check({ avatar, link, evidence }), [link.uuid, evidence.sha256]);
  if (answer.state === 'waiting') return <p class="waiting">{t('look.checking')}</p>;
  if (answer.state === 'failed') return null;
  return <p>{sentenceOf(answer.value, link.platform)}</p>;
}

function sentenceOf(shown: Shown | null, platform: string) {
  if (shown === null) return t(platform === 'dns' ? 'look.zone_unsigned' : 'look.platform_unsigned');
  if (shown.by === 'zone') return rich('look.zone_signed', { zone: <Seen text={shown.zone} /> });
  return t(shown.by === 'server' ? 'look.account_server_signed' : 'look.platform_proof_wrong');
}

/** Null where the server kept nothing that a platform has signed. */
async function check({ avatar, link, evidence }: Props): Promise<Shown | null> {
  if (!evidence.proof) return null;
  const [{ verifyExportProofs }, { verifyExportDnssec }] = await Promise.all([
    import('@signet/verify/atproto'),
    import('@signet/verify/dnssec'),
  ]);
  const { platform, identity, created_at } = link;
  const state = { last_checked_at: evidence.seen_at, is_valid: true, invalid_reason: '' };
  const file = { avatar, links: [link], bindings: [{ platform, identity, created_at, ...state, evidence }] };
  const [zone] = verifyExportDnssec(file);
  if (zone) return zone.ok ? { by: 'zone', zone: zone.zone } : { by: 'nobody' };
  const [record] = await verifyExportProofs(file);
  return { by: record?.ok === true ? 'server' : 'nobody' };
}
