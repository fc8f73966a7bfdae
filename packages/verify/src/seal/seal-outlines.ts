/**
 * Closed outlines of straight lines and Bézier curves, as an SVG path has them, filled by the even-odd rule: where an
 * odd number of outlines lies round a point there is ink.
 */

/**
 * The first element is the start `[x, y]`; each further one is a line `[x, y]`, a quadratic curve `[x1, y1, x, y]` or a
 * cubic curve `[x1, y1, x2, y2, x, y]`. The end is joined to the start.
 */
export type Outline = number[][];

/** Where a point of an outline goes. */
export type Move = (x: number, y: number) => [number, number];

/** Control points of a quarter of a circle lie this part of the radius from its ends. */
const QUARTER = 0.5523;

export function circle(x: number, y: number, radius: number): Outline {
  const k = radius * QUARTER;
  return [
    [x + radius, y],
    [x + radius, y + k, x + k, y + radius, x, y + radius],
    [x - k, y + radius, x - radius, y + k, x - radius, y],
    [x - radius, y - k, x - k, y - radius, x, y - radius],
    [x + k, y - radius, x + radius, y - k, x + radius, y],
  ];
}

/** A closed line through corners. */
export function polygon(...corners: [number, number][]): Outline {
  return corners;
}

/** The outline with all its points moved; a curve stays a curve of its kind. */
export function moved(outline: Outline, move: Move): Outline {
  return outline.map((numbers) =>
    numbers.flatMap((value, index) => (index % 2 === 0 ? move(value, numbers[index + 1]!) : [])),
  );
}

/** A point at an angle (radians, clockwise from the top) and a distance from the middle. */
export function polar(angle: number, radius: number): [number, number] {
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

/** Turns by an angle (radians, clockwise) about the middle. */
export function turnedBy(angle: number): Move {
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  return (x, y) => [x * cos - y * sin, x * sin + y * cos];
}

const COMMANDS: { [length: number]: string } = { 2: 'L', 4: 'Q', 6: 'C' };

/** The attribute `d` of an SVG path; lengths are rounded to a tenth. */
export function toPathData(outlines: Outline[]): string {
  const text = (numbers: number[]) => numbers.map((value) => String(Math.round(value * 10) / 10 + 0)).join(' ');
  const written = (numbers: number[], index: number) => (index === 0 ? 'M' : COMMANDS[numbers.length]!) + text(numbers);
  return outlines.map((outline) => `${outline.map(written).join('')}Z`).join('');
}

/** The corners of an outline whose curves are each replaced by `count` straight pieces: x and y in turn. */
export function flattened(outline: Outline, count: number): number[] {
  const points: number[] = [];
  let [x0, y0] = outline[0] as [number, number];
  for (const numbers of outline) {
    const controls = [x0, y0, ...numbers];
    const pieces = numbers.length === 2 ? 1 : count;
    for (let piece = 1; piece <= pieces; piece++) points.push(...pointOf(controls, piece / pieces));
    [x0, y0] = numbers.slice(-2) as [number, number];
  }
  return points;
}

/** De Casteljau: the point of a Bézier curve of any degree. */
function pointOf(controls: number[], part: number): number[] {
  let points = controls;
  while (points.length > 2) {
    points = points.slice(2).map((value, index) => points[index]! + (value - points[index]!) * part);
  }
  return points;
}

/** Whether an odd number of flattened outlines lies round the point. */
export function isInked(corners: number[][], x: number, y: number): boolean {
  let isInside = false;
  for (const points of corners) {
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
      const [xi, yi, xj, yj] = [points[i]!, points[i + 1]!, points[j]!, points[j + 1]!];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isInside = !isInside;
    }
  }
  return isInside;
}
