/** What a key or a recovery key can do at once: freeze, end a freeze, stop what is pending. */
import type { KeyEvent, Signer } from '@signet/sdk';
import { MAIN_KEY, type Pending } from '@signet/verify/key-events';
import { useState } from 'preact/hooks';
import { dateTime } from '../i18n/format.js';
import { rich, t } from '../i18n/i18n.js';
import { client } from '../shell/api.js';
import { KeyDeed } from './key-deed.js';
import { canStop, type KeysRead, whoSigned } from './keys-of.js';
import type { NamedKey } from './signing-key.js';
import { RecoveryKeys } from './recovery-keys.js';
import { Due, KeyLink, Span } from './words.js';

/** The key that speaks, kept for the next deed of the same view. */
export function useSigning() {
  const [signing, onSigning] = useState<NamedKey | null>(null);
  return { signing, onSigning };
}

interface Props {
  keys: KeysRead;
  onDone: () => void;
  signing: NamedKey | null;
  onSigning: (named: NamedKey | null) => void;
}

/** A button that freezes the key, or one that ends the freeze. Nothing where neither can be. */
export function FreezeDeed({ isPrimary = false, ...props }: Props & { isPrimary?: boolean }) {
  const { avatar, state } = props.keys;
  if (state.succession) return null;
  const deed = state.freeze
    ? {
        title: t('recovery.thaw'),
        text: t('recovery.thaw_text'),
        act: (signer: Signer) => client.keys.thaw({ avatar, signer }),
        doneText: () => t('recovery.thawed'),
      }
    : {
        title: t('recovery.freeze'),
        text: t('recovery.freeze_text'),
        act: (signer: Signer) => client.keys.freeze({ avatar, signer }),
        doneText: (event: KeyEvent) => t('recovery.frozen_now', { time: dateTime(event.due_at) }),
        isPrimary,
      };
  return <KeyDeed {...props} {...deed} />;
}

/** What is pending: what it will do and when, who signed it, and a button that makes it void. */
export function PendingList(props: Props) {
  const { pendingCommit, pendingSuccession } = props.keys.state;
  return (
    <ul class="pending-keys">
      {pendingSuccession && (
        <PendingItem {...props} pending={pendingSuccession}>
          {rich('recovery.pending_succession', {
            key: <KeyLink avatar={pendingSuccession.fields.successor} />,
            time: <Due seconds={pendingSuccession.due_at} />,
          })}
        </PendingItem>
      )}
      {pendingCommit && (
        <PendingItem {...props} pending={pendingCommit}>
          {rich('recovery.pending_commit', {
            time: <Due seconds={pendingCommit.due_at} />,
            span: <Span hours={pendingCommit.fields.delay_hours} />,
          })}
          <RecoveryKeys names={pendingCommit.fields.recovery} />
        </PendingItem>
      )}
    </ul>
  );
}

function PendingItem({ pending, children, ...props }: Props & { pending: Pending<unknown>; children: unknown }) {
  const { keys } = props;
  const { avatar, state } = keys;
  const who = whoSigned(state, pending.signer);
  const isStoppable = [MAIN_KEY, ...(state.committed?.recovery ?? [])].some((name) =>
    canStop(state, name, pending.signer),
  );
  const signed =
    typeof who === 'number' ? t('recovery.signed_by_recovery', { number: who }) : t(`recovery.signed_by_${who}`);
  return (
    <li>
      <div id={`pending-${pending.event}`}>{children as never}</div>
      <p class="quiet small">{signed}</p>
      {isStoppable ? (
        <KeyDeed
          key={pending.event}
          {...props}
          title={t('recovery.stop')}
          about={`pending-${pending.event}`}
          text={t(state.committed ? 'recovery.stop_text' : 'recovery.stop_text_none')}
          act={(signer) => client.keys.veto({ avatar, signer, event: pending.event })}
          doneText={() => t('recovery.stopped')}
        />
      ) : (
        <p class="quiet">{t('recovery.stop_none')}</p>
      )}
    </li>
  );
}
