/**
 * What is done on a platform, drawn: where the text goes, what is pressed, and what is copied. No platform's own page
 * is copied, because those change; numbers follow the order of the steps.
 */
import type { Platform } from '@signet/sdk';
import { PlatformIcon } from '../parts/platform-icon.js';

/** How a text is shown to all: as a file with a name, as a post, or as a record under a name. */
type Way = 'file' | 'post' | 'record';

function wayOf({ needs_proof_location: isPost, file_name: fileName }: Platform): Way {
  if (fileName) return 'file';
  return isPost ? 'post' : 'record';
}

/** A number in a ring. */
function Mark({ x, y, number }: { x: number; y: number; number: number }) {
  return (
    <g class="mark">
      <circle cx={x} cy={y} r="9" />
      <text x={x} y={y + 4}>
        {number}
      </text>
    </g>
  );
}

/** Lines of text, of which the last one is shorter. */
function Lines({ x, y, count, width }: { x: number; y: number; count: number; width: number }) {
  return (
    <path
      class="text"
      d={Array.from(
        { length: count },
        (_, row) => `M${x} ${y + row * 11}h${row === count - 1 ? width * 0.6 : width}`,
      ).join('')}
    />
  );
}

/** The window of the platform, with what its way of publishing needs. Hidden from screen readers: the steps say it. */
export function PlatformDrawing({ platform }: { platform: Platform }) {
  const way = wayOf(platform);
  return (
    <figure class="platform-drawing" aria-hidden="true">
      <svg viewBox="0 0 320 150">
        <rect class="window" x="1" y="1" width="318" height="148" rx="8" />
        <path class="window" d="M1 26h318" />
        <path class="text" d="M40 14h70" />
        {way === 'file' && (
          <>
            <rect class="field" x="16" y="36" width="150" height="20" rx="4" />
            <path class="text strong" d="M26 46h110" />
            <Mark x={178} y={46} number={1} />
            <rect class="field" x="16" y="62" width="288" height="50" rx="4" />
            <Lines x={26} y={75} count={3} width={230} />
            <Mark x={290} y={87} number={2} />
            <rect class="button" x="214" y="119" width="74" height="22" rx="4" />
            <path class="on-button" d="M228 130h46" />
            <Mark x={302} y={130} number={3} />
          </>
        )}
        {way === 'post' && (
          <>
            <rect class="field" x="16" y="36" width="288" height="58" rx="4" />
            <Lines x={26} y={50} count={4} width={230} />
            <Mark x={290} y={65} number={1} />
            <rect class="button" x="16" y="103" width="74" height="22" rx="4" />
            <path class="on-button" d="M30 114h46" />
            <Mark x={104} y={114} number={2} />
            <path
              class="link"
              d="M196 119l-5 5a7 7 0 0 1-10-10l7-7a7 7 0 0 1 10 0M190 109l5-5a7 7 0 0 1 10 10l-7 7a7 7 0 0 1-10 0"
            />
            <path class="text strong" d="M216 114h62" />
            <Mark x={294} y={114} number={3} />
          </>
        )}
        {way === 'record' && (
          <>
            <path class="rule" d="M16 60h288M16 92h288M90 36v82" />
            <path class="text" d="M26 48h40M102 48h90M26 108h34M102 108h120" />
            <path class="text strong" d="M26 76h44" />
            <Mark x={78} y={76} number={1} />
            <Lines x={102} y={71} count={2} width={166} />
            <Mark x={290} y={76} number={2} />
            <rect class="button" x="214" y="122" width="74" height="20" rx="4" />
            <path class="on-button" d="M228 132h46" />
            <Mark x={302} y={132} number={3} />
          </>
        )}
      </svg>
      <span class="platform-of-drawing">
        <PlatformIcon platform={platform.platform} size={16} />
      </span>
    </figure>
  );
}
