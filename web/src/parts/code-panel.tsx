import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { CopyButton } from './copy-button.js';
import { Seen } from './names.js';
import { ProfilePicture } from './profile-head.js';
import { Seal } from './seal.js';

/** White modules around a code, without which cameras do not find it (ISO/IEC 18004: four). */
const QUIET = 4;

export interface CodePanelProps {
  /** What the code leads to: an absolute address. */
  address: string;
  /** What a card says beside the code; without it nothing is printed or saved. */
  card?: Card;
}

/** What stands on a card beside its code. */
export interface Card {
  title: string;
  /** Accounts, one a line. */
  lines: readonly string[];
  /** The key whose seal is drawn, compressed. */
  avatar?: string;
  /** The picture of the profile, as `data:` URL. */
  picture?: string | null;
}

/** A code to scan with its address, which can be copied, sent and, as a card, printed. */
export function CodePanel({ address, card }: CodePanelProps) {
  const share = 'share' in navigator ? () => void navigator.share({ url: address }).catch(() => {}) : null;
  return (
    <div class="code-panel">
      <figure class={card ? 'code-card' : undefined}>
        <QrCode text={address} />
        <figcaption>
          {card && (
            <>
              <span class="actions">
                {card.avatar !== undefined && <Seal avatar={card.avatar} size={48} />}
                {card.picture && <ProfilePicture picture={card.picture} size={48} />}
              </span>
              <strong>
                <bdi>
                  <Seen text={card.title} />
                </bdi>
              </strong>
              {card.lines.map((line) => (
                <span key={line}>
                  <bdi>
                    <Seen text={line} />
                  </bdi>
                </span>
              ))}
            </>
          )}
          <span class="quiet small long">{address}</span>
        </figcaption>
      </figure>
      <p class="row">
        <CopyButton text={address} label={t('look.copy_link')} />
        {share && (
          <button type="button" onClick={share}>
            {t('look.send_link')}
          </button>
        )}
        {card && <SavePicture address={address} card={card} />}
        {card && (
          <button type="button" onClick={() => print()}>
            {t('look.print_card')}
          </button>
        )}
      </p>
    </div>
  );
}

/** The card as a picture: given to an app where the device can, else saved. */
function SavePicture({ address, card }: Required<CodePanelProps>) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { giveCard } = await import('./card-picture.js');
      await giveCard(address, card);
    } catch {
      announce(t('shell.failed_in_silence'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void save()}>
      {t('look.save_picture')}
    </button>
  );
}

/** Black on white in every theme, because many cameras read no other code. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const box = `${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`;
  return (
    <svg class="qr-code" viewBox={box} role="img" aria-label={t('look.code_to_scan')} shape-rendering="crispEdges">
      <rect x={-QUIET} y={-QUIET} width="100%" height="100%" fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
