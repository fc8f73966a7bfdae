/** The figures of which seals are composed. How they look and their order say how the seal of a key looks: for ever. */
import { circle, type Outline, polar, polygon } from './seal-outlines.js';

/** A figure in a box from (-1, 0), on the side of the middle, to (1, 1), outwards. */
export interface Figure {
  outlines: Outline[];
  /** Keeps its proportions, of 2 to 2, where others are stretched to the place that they have. */
  isRound?: true;
}

const mirror = ([x, y]: [number, number]): [number, number] => [-x, y];
/** A figure that is the same on the left and on the right, from its right side from the inner end outwards. */
function symmetric(...right: [number, number][]): Outline {
  return polygon(...right, ...right.map(mirror).reverse());
}

const petal = (width: number, from: number, to: number): Outline => {
  const middle = (from + to) / 2;
  return [
    [0, from],
    [2 * width, middle, 0, to],
    [-2 * width, middle, 0, from],
  ];
};
const drop = (y: (value: number) => number): Outline => [
  [0, y(0)],
  [0.25, y(0.35), 1, y(0.42), 1, y(0.7)],
  [1, y(0.9), 0.55, y(1), 0, y(1)],
  [-0.55, y(1), -1, y(0.9), -1, y(0.7)],
  [-1, y(0.42), -0.25, y(0.35), 0, y(0)],
];
const disc = (radius: number): Outline => circle(0, 0.5, radius);
const outwards = (value: number) => value;
const inwards = (value: number) => 1 - value;
/** In a round figure both directions have the same unit. */
const round = (...outlines: Outline[]): Figure => ({ outlines, isRound: true });

export const FIGURES: readonly Figure[] = [
  { outlines: [petal(1, 0, 1)] },
  { outlines: [drop(outwards)] },
  { outlines: [drop(inwards)] },
  round(disc(0.5)),
  round(disc(0.5), disc(0.27)),
  { outlines: [symmetric([0, 0], [1, 0.5], [0, 1])] },
  { outlines: [symmetric([0.42, 0], [0.42, 1])] },
  { outlines: [symmetric([0, 0], [1, 1])] },
  { outlines: [symmetric([1, 0], [0, 1])] },
  {
    outlines: [
      [
        [-1, 0.85],
        [-1.1, -0.2, 1.1, -0.2, 1, 0.85],
        [0.6, 0.3, -0.6, 0.3, -1, 0.85],
      ],
    ],
  },
  { outlines: [symmetric([0, 0.6], [1, 0], [1, 0.4], [0, 1])] },
  round(circle(0, 0.76, 0.23), circle(-0.27, 0.28, 0.23), circle(0.27, 0.28, 0.23)),
  {
    outlines: [
      [
        [0, 0],
        [1.1, 0.1, 1.1, 0.6, 1, 1],
        [0.45, 0.7],
        [0, 1],
        [-0.45, 0.7],
        [-1, 1],
        [-1.1, 0.6, -1.1, 0.1, 0, 0],
      ],
    ],
  },
  {
    outlines: [
      [
        [0, 0],
        [0.4, 0.35, 1, 0.5, 1, 0.78],
        [1, 1.08, 0.2, 1.08, 0, 0.78],
        [-0.2, 1.08, -1, 1.08, -1, 0.78],
        [-1, 0.5, -0.4, 0.35, 0, 0],
      ],
    ],
  },
  { outlines: [petal(1, 0, 1), petal(0.5, 0.26, 0.8)] },
  {
    outlines: [
      [
        [-1, 0.1],
        [-1, 0.75, -0.5, 1, 0, 1],
        [0.5, 1, 1, 0.75, 1, 0.1],
      ],
    ],
  },
];

/** A closed line of `count` corners at two distances from the middle in turn. */
function star(count: number, outer: number, inner: number): Outline {
  return Array.from({ length: 2 * count }, (_, index) =>
    polar((Math.PI * index) / count, index % 2 === 0 ? outer : inner),
  );
}

/** A closed line of `count` arcs between corners, which bulge outwards or inwards. */
function foil(count: number, radius: number, bulge: number): Outline {
  const corner = (index: number) => polar((2 * Math.PI * index) / count, radius);
  return Array.from({ length: count + 1 }, (_, index) =>
    index === 0 ? corner(0) : [...polar((Math.PI * (2 * index - 1)) / count, bulge), ...corner(index)],
  );
}

function ringOfDots(count: number, distance: number, radius: number): Outline[] {
  return Array.from({ length: count }, (_, index) => circle(...polar((2 * Math.PI * index) / count, distance), radius));
}

/** What is in the middle, of a radius, where figures stand `count` times around it. */
export const CENTRES: readonly ((radius: number, count: number) => Outline[])[] = [
  (radius) => [circle(0, 0, radius * 0.8)],
  (radius) => [circle(0, 0, radius), circle(0, 0, radius * 0.6)],
  (radius) => [circle(0, 0, radius), circle(0, 0, radius * 0.72), circle(0, 0, radius * 0.36)],
  (radius, count) => [star(count, radius * 1.1, radius * 0.5)],
  (radius, count) => [foil(count, radius * 1.15, radius * 0.3)],
  (radius, count) => [foil(count, radius * 0.72, radius * 1.5)],
  (radius, count) => [...ringOfDots(count, radius * 0.72, Math.min(radius * 0.3, (radius * 1.7) / count))],
  (radius, count) => [circle(0, 0, radius), star(count, radius * 0.8, radius * 0.34)],
];

/** The edge of the emblem: its silhouette, for a radius, with the radius inside which figures may stand. */
export interface Frame {
  outline: Outline;
  inside: number;
}

/** Edges, of a radius, where figures stand `count` times. */
export const FRAMES: readonly ((radius: number, count: number) => Frame)[] = [
  (radius) => ({ outline: circle(0, 0, radius), inside: radius }),
  (radius, count) => {
    const lobes = count < 6 ? 4 * count : 2 * count;
    const corner = radius * 0.93;
    return { outline: foil(lobes, corner, 2 * radius - corner), inside: corner };
  },
  (radius, count) => {
    const lobes = count < 5 ? 2 * count : count;
    const corner = radius * 0.86;
    const bulge = 2 * radius - corner * Math.cos(Math.PI / lobes);
    return { outline: foil(lobes, corner, bulge), inside: corner * 0.99 };
  },
  (radius) => ({
    outline: Array.from({ length: 8 }, (_, index) => polar((Math.PI * (2 * index + 1)) / 8, radius)),
    inside: radius * 0.93,
  }),
];
