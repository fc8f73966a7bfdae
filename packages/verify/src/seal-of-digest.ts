/**
 * The signet seal: a small figure drawn from the SHA-256 of a key, so that people recognise a key as they recognise a
 * face. The emblem in the middle is what stays in memory, and is all that is drawn at small sizes. The ticks round it,
 * as the inscription round an engraved seal, show 96 more bits of the hash, so that two large seals differ visibly
 * wherever their keys differ.
 *
 * The figure is one set of outlines, filled by the even-odd rule; the SVG and the block characters of a terminal are
 * made from the same outlines. It takes the colour of the text around it.
 */
import { CENTRES, type Figure, FIGURES, FRAMES } from './seal/seal-figures.js';
import { circle, moved, type Outline, polar, toPathData, turnedBy } from './seal/seal-outlines.js';

/** How much is drawn: `emblem` is for less than 48 pixels, `full` adds the inscription. */
export type SealDetail = 'emblem' | 'full';

const FULL_TURN = 2 * Math.PI;

/** How often the figures stand around the middle. */
const COUNTS = [4, 5, 6, 7, 8, 9, 10, 12];
/** How far the outer ends of figures are turned, in radians; half of all seals are straight. */
const TWISTS = [0, 0, 0.55, -0.55];

/** What may stand between the outer figures. */
const DOT: Figure = { outlines: [circle(0, 0.5, 0.5)], isRound: true };

const TICKS = 48;
/** Lengths of a tick, for two bits of the hash. */
const TICK_LENGTHS = [1, 2.7, 4.4, 6.1];
const TICK_WIDTH = 2.1;
/** Outer and inner radius of the thin line at which the ticks stand. */
const RIM = [50, 48.9] as const;

/** The outlines of a seal, in a square from -50 to 50, by the 32 bytes of the SHA-256 of a compressed key. */
export function sealOutlines(digest: Uint8Array, detail: SealDetail): Outline[] {
  return detail === 'emblem' ? emblem(digest, 49) : [...inscription(digest.subarray(20)), ...emblem(digest, 38.5)];
}

/**
 * The attribute `d` of the one path of a seal, for a square from -50 to 50 and `fill-rule="evenodd"`. For pages that
 * have SHA-256 from elsewhere, such as WebCrypto.
 * @param digest the 32 bytes of the SHA-256 of the 33 bytes of a compressed key
 */
export function sealPathOfDigest(digest: Uint8Array, detail: SealDetail = 'full'): string {
  return toPathData(sealOutlines(digest, detail));
}

/**
 * A thin line with 48 ticks that point inwards: two bits each, from the first byte's high bits on, clockwise from the
 * top.
 */
function inscription(bytes: Uint8Array): Outline[] {
  const ticks = Array.from({ length: TICKS }, (_, index): Outline => {
    const bits = (bytes[index >> 2]! >> (6 - 2 * (index & 3))) & 3;
    const angle = (FULL_TURN * index) / TICKS;
    const corner = (side: number, radius: number) => polar(angle + (side * TICK_WIDTH) / radius / 2, radius);
    const to = RIM[1] - 1.1 - TICK_LENGTHS[bits]!;
    return [corner(-1, RIM[1] - 1.1), corner(-1, to), corner(1, to), corner(1, RIM[1] - 1.1)];
  });
  return [...RIM.map((radius) => circle(0, 0, radius)), ...ticks];
}

/** The figure in the middle: an edge, two rows of figures and a centre, all by the first four bytes. */
function emblem(digest: Uint8Array, radius: number): Outline[] {
  const [b0, b1, b2, b3] = digest as unknown as [number, number, number, number];
  const count = COUNTS[b0 & 7]!;
  const isSolid = (b0 & 8) !== 0;
  const twist = TWISTS[(b0 >> 4) & 3]!;
  const isBetween = (b0 & 64) !== 0;
  const frame = FRAMES[b2 & 3]!(radius, count);
  const edge = isSolid ? [frame.outline] : [frame.outline, moved(frame.outline, scaledBy(0.9))];
  const field = frame.inside * (isSolid ? 0.9 : 0.82);
  const split = field * [0.5, 0.58][(b3 >> 4) & 1]!;
  const middle = field * (count > 8 ? 0.26 : 0.2);
  const row = (figure: Figure, from: number, to: number, width: number, shift: number) =>
    ring(figure, { count, from, to, width, shift, twist: twist / field });
  const dots = (b3 & 4) !== 0 && count < 8 ? row(DOT, split + field * 0.14, field * 0.94, 0.22, 0.5) : [];
  return [
    ...edge,
    ...dots,
    ...row(FIGURES[b1 & 15]!, split + field * 0.03, field, [0.7, 0.9][b3 & 1]!, 0),
    ...row(
      FIGURES[b1 >> 4]!,
      middle + field * 0.05,
      split - field * 0.03,
      [0.7, 0.9][(b3 >> 1) & 1]!,
      isBetween ? 0.5 : 0,
    ),
    ...CENTRES[(b2 >> 2) & 7]!(middle, count),
  ];
}

interface Row {
  count: number;
  /** Radii of the inner and the outer end. */
  from: number;
  to: number;
  /** Part of the room between neighbours that a figure fills. */
  width: number;
  /** Part of the distance to the next figure by which all are turned. */
  shift: number;
  /** Radians for each unit of the radius. */
  twist: number;
}

/** The figure `count` times around the middle, without touching its neighbours. */
function ring({ outlines, isRound }: Figure, { count, from, to, width, shift, twist }: Row): Outline[] {
  const room = ((from + to) / 2) * Math.tan(Math.PI / count) * width;
  const height = to - from;
  const unit = Math.min(room, height / 2);
  const place = (x: number, y: number): [number, number] =>
    isRound
      ? [2 * x * unit, (from + to) / 2 + (2 * y - 1) * unit]
      : [x * Math.min(room, height * 0.8), from + y * height];
  return Array.from({ length: count }, (_, index) => {
    const turn = turnedBy((FULL_TURN * (index + shift)) / count);
    return outlines.map((outline) =>
      moved(outline, (x, y) => {
        const [across, out] = place(x, y);
        return turn(...turnedBy(twist * Math.hypot(across, out))(across, -out));
      }),
    );
  }).flat();
}

function scaledBy(factor: number) {
  return (x: number, y: number): [number, number] => [x * factor, y * factor];
}
