/**
 * What is done on a platform, drawn: where the text goes, what is pressed, and what is copied. No platform's own page
 * is copied, because those change. What a drawing shows follows from what the server says of the platform; only
 * platforms that look like no other are named here. Numbers are those of the captions below it.
 */
import { fillFileName, type Platform } from '@signet/sdk';
import type { ComponentChildren } from 'preact';
import { t, type TextKey } from '../i18n/i18n.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';

interface Drawn {
  platform: Platform;
  /** What the person has named, or an example of it. */
  identity: string;
  /** The platform value of the service, under which some platforms keep the text. */
  service: string;
}

/** A way in which a text is shown to all, with what the numbers of its drawing mean. */
interface Way {
  captions: TextKey[];
  /** Whether the address of what was published is copied; its number is then the last one. */
  hasAddress?: boolean;
  draw: (drawn: Drawn) => ComponentChildren;
}

const WAYS = {
  file: {
    captions: ['bind.drawn_name', 'bind.drawn_text', 'bind.drawn_publish', 'bind.drawn_address'],
    hasAddress: true,
    draw: ({ platform, identity }) => (
      <>
        <rect class="field" x="16" y="36" width="176" height="20" rx="4" />
        <Label x={24} y={50} text={fileNameOf(platform, identity)} />
        <Mark x={206} y={46} number={1} />
        <Page x={16} y={62} width={288} height={50} number={2} />
        <Button x={210} y={122} number={3} />
      </>
    ),
  },
  folder: {
    captions: ['bind.drawn_folder', 'bind.drawn_name', 'bind.drawn_text'],
    draw: ({ platform, identity, service }) => (
      <>
        <Folder x={16} y={38} text={shown(identity)} />
        <Folder x={32} y={66} text={cutInTheMiddle(service, 15)} />
        <Mark x={156} y={72} number={1} />
        <path class="rule" d="M23 52v20h8M39 80v20h8" />
        <path class="sheet" d="M50 92h9l5 5v14H50z" />
        <Label x={70} y={106} text={fileNameOf(platform, identity)} />
        <Mark x={156} y={102} number={2} />
        <Page x={176} y={38} width={128} height={96} number={3} />
      </>
    ),
  },
  post: {
    captions: ['bind.drawn_text', 'bind.drawn_publish', 'bind.drawn_address'],
    hasAddress: true,
    draw: ({ identity }) => (
      <>
        <Face x={28} y={48} />
        <Label x={48} y={45} text={shown(identity)} />
        <Globe x={54} y={56} />
        <path class="text" d="M64 56h40" />
        <Page x={48} y={68} width={256} height={48} number={1} />
        <Button x={210} y={124} number={2} />
      </>
    ),
  },
  message: {
    captions: ['bind.drawn_text', 'bind.drawn_send', 'bind.drawn_copy_link'],
    draw: ({ identity }) => (
      <>
        <path class="rule" d="M36 26v129M112 26v129" />
        {[44, 68, 92].map((y) => (
          <circle key={y} class="face" cx="19" cy={y} r="9" />
        ))}
        <path class="text" d="M46 72h50M46 90h42" />
        <path class="text strong" d="M46 50h54" />
        <Face x={132} y={48} />
        <Label x={150} y={44} text={shown(identity)} />
        <Lines x={150} y={58} count={3} width={96} />
        <rect class="field" x="232" y="82" width="74" height="24" rx="4" />
        <ChainSign x={236} y={84} />
        <path class="text strong" d="M264 94h12" />
        <Mark x={292} y={94} number={3} />
        <rect class="field" x="124" y="118" width="180" height="26" rx="6" />
        <path class="text" d="M136 131h70" />
        <Mark x={226} y={131} number={1} />
        <path class="send" d="M252 123l18 8-18 8 3-8z" />
        <Mark x={288} y={131} number={2} />
      </>
    ),
  },
  record: {
    captions: ['bind.drawn_record', 'bind.drawn_text', 'bind.drawn_save'],
    draw: ({ platform: { platform }, identity, service }) => (
      <>
        <path class="rule" d="M16 58h288M16 94h288M148 34v82" />
        <path class="text" d="M26 46h40M160 46h64M26 106h60M160 106h110" />
        {platform === 'dns' && <Label x={26} y={73} text="TXT" isStrong />}
        <Label
          x={26}
          y={platform === 'dns' ? 86 : 80}
          text={cutInTheMiddle(platform === 'dotbit' ? service : identity, 15)}
        />
        <Mark x={134} y={76} number={1} />
        <Lines x={160} y={71} count={2} width={116} />
        <Mark x={290} y={76} number={2} />
        <Button x={210} y={124} number={3} />
      </>
    ),
  },
  wallet: {
    captions: ['bind.drawn_read', 'bind.drawn_sign'],
    draw: () => (
      <>
        <Page x={16} y={38} width={288} height={70} number={1} />
        <rect class="field" x="116" y="124" width="74" height="22" rx="4" />
        <path class="text" d="M130 135h46" />
        <Button x={210} y={124} number={2} />
      </>
    ),
  },
} satisfies Record<string, Way>;

/** Platforms whose way does not follow from what their guide says. */
const OWN_WAYS = new Map<string, keyof typeof WAYS>([['discord', 'message']]);

function wayOf({ platform, needs_proof_location: isPost, file_name: fileName }: Platform): keyof typeof WAYS {
  if (fileName) return isPost ? 'file' : 'folder';
  return OWN_WAYS.get(platform) ?? (isPost ? 'post' : 'record');
}

interface Props extends Drawn {
  /** Whether a wallet signs, so that nothing is published. */
  isWallet?: boolean;
}

/** The window of the platform, with what its way of publishing needs. Screen readers hear the captions alone. */
export function PlatformDrawing({ isWallet = false, ...drawn }: Props) {
  const { platform, identity } = drawn;
  const way: Way = WAYS[isWallet ? 'wallet' : wayOf(platform)];
  const host = hostOf(platform, identity);
  return (
    <figure class="platform-drawing">
      <svg viewBox="0 0 320 156" aria-hidden="true">
        <rect class="window" x="1" y="1" width="318" height="154" rx="8" />
        <path class="window" d="M1 27h318" />
        <g transform="translate(11 6)">
          <PlatformIcon platform={platform.platform} size={16} />
        </g>
        {host !== null && !isWallet && <rect class="field" x="36" y="6" width="240" height="16" rx="8" />}
        <Label x={isWallet ? 36 : 46} y={18} text={(isWallet ? null : host) ?? platformName(platform.platform)} />
        {way.hasAddress && <Mark x={294} y={14} number={way.captions.length} />}
        {way.draw(drawn)}
      </svg>
      <figcaption>
        <ol>
          {way.captions.map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}

/** Where the text is published, as the address bar shows it; null where that is the choice of the person. */
function hostOf({ compose_url: composeUrl, post_url: postUrl }: Platform, identity: string): string | null {
  const host = /^https:\/\/(?:www\.)?([^/?#]+)/.exec(composeUrl ?? postUrl ?? '')?.[1];
  if (host === undefined) return null;
  return cutInTheMiddle(host.replace('{host}', identity.slice(identity.lastIndexOf('@') + 1)), 36);
}

function fileNameOf({ file_name: name }: Platform, identity: string): string {
  return cutInTheMiddle(fillFileName(name, { avatar: '0x02ab…', identity }) ?? '', 20);
}

function shown(identity: string): string {
  return cutInTheMiddle(identity, 17);
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

/** A text that stands there: a name, an address, a kind of record. */
function Label({ x, y, text, isStrong = false }: { x: number; y: number; text: string; isStrong?: boolean }) {
  return (
    <text class={isStrong ? 'label strong' : 'label'} x={x} y={y} direction="ltr">
      {text}
    </text>
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

/** A field that holds the text. */
function Page({ x, y, width, height, number }: Record<'x' | 'y' | 'width' | 'height' | 'number', number>) {
  return (
    <>
      <rect class="field" x={x} y={y} width={width} height={height} rx="4" />
      <Lines x={x + 10} y={y + 13} count={Math.floor((height - 8) / 11)} width={width - 56} />
      <Mark x={x + width - 16} y={y + height / 2} number={number} />
    </>
  );
}

function Button({ x, y, number }: Record<'x' | 'y' | 'number', number>) {
  return (
    <>
      <rect class="button" x={x} y={y} width="70" height="22" rx="4" />
      <path class="on-button" d={`M${x + 14} ${y + 11}h42`} />
      <Mark x={x + 84} y={y + 11} number={number} />
    </>
  );
}

function Face({ x, y }: { x: number; y: number }) {
  return (
    <>
      <circle class="face" cx={x} cy={y} r="11" />
      <path
        class="on-face"
        d={`M${x} ${y - 6}a3.500 3.500 0 1 1 0 7a3.500 3.500 0 1 1 0-7M${x - 6} ${y + 8}a6 6 0 0 1 12 0`}
      />
    </>
  );
}

/** The sign of what everybody can read. */
function Globe({ x, y }: { x: number; y: number }) {
  return (
    <path
      class="sign"
      d={`M${x - 5} ${y}a5 5 0 1 1 10 0a5 5 0 1 1-10 0M${x - 5} ${y}h10M${x} ${y - 5}c3 3 3 7 0 10c-3-3-3-7 0-10`}
    />
  );
}

function ChainSign({ x, y }: { x: number; y: number }) {
  return (
    <path
      class="sign"
      d={`M${x + 11} ${y + 13}l-2 2a3.700 3.700 0 0 1-5-5l3-3a3.700 3.700 0 0 1 5 0M${x + 9} ${y + 7}l2-2a3.700 3.700 0 0 1 5 5l-3 3a3.700 3.700 0 0 1-5 0`}
    />
  );
}

function Folder({ x, y, text }: { x: number; y: number; text: string }) {
  return (
    <>
      <path class="sheet" d={`M${x} ${y}h6l2 3h8v11h-16z`} />
      <Label x={x + 22} y={y + 11} text={text} />
    </>
  );
}
