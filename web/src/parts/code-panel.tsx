import { encode } from 'uqr';
import { t } from '../i18n/i18n.js';
import { CopyButton } from './copy-button.js';
import { Seal } from './seal.js';

/** White modules around a code, without which cameras do not find it (ISO/IEC 18004: four). */
const QUIET = 4;

export interface CodePanelProps {
  /** What the code leads to: an absolute address. */
  address: string;
  /** What a printed card says beside the code; without it nothing is printed. */
  card?: { title: string; lines: readonly string[]; avatar?: string };
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
              {card.avatar !== undefined && <Seal avatar={card.avatar} size={48} />}
              <strong>
                <bdi>{card.title}</bdi>
              </strong>
              {card.lines.map((line) => (
                <span key={line}>
                  <bdi>{line}</bdi>
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
        {card && (
          <button type="button" onClick={() => print()}>
            {t('look.print_card')}
          </button>
        )}
      </p>
    </div>
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
