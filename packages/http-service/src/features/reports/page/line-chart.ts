import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';

/** A line of a chart: one value for each label, null if unknown. */
export interface ChartLine {
  /** Colour, `#rrggbb`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

/** Data of a line chart. */
export interface LineChart {
  readonly labels: readonly string[];
  readonly lines: readonly ChartLine[];
  /** Description for screen readers. */
  readonly label: string;
  readonly tickText: (value: number) => string;
}

// Lengths in units of the SVG, which the page scales.
const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 72;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 30;
const MOST_LABELS = 5;

/**
 * Line chart over years or days. An unknown value makes a gap in its line. In pieces of at most 24 values, each value
 * also has a dot.
 */
export function lineChart({ labels, lines, label, tickText }: LineChart): Html {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = ticksOf(
    known.reduce((a, b) => Math.min(a, b), 0),
    known.reduce((a, b) => Math.max(a, b), 0),
  );
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const x = (index: number): number =>
    LEFT + (labels.length < 2 ? 0.5 : index / (labels.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const every = Math.ceil(labels.length / MOST_LABELS);
  return html`<svg class="lines" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
    ${ticks.map(
      (tick) =>
        html`<path class="grid" d="M${LEFT} ${y(tick).toFixed(1)}H${WIDTH - RIGHT}" /><text
            x="${LEFT - 6}"
            y="${(y(tick) + 4).toFixed(1)}"
            text-anchor="end"
          >
            ${tickText(tick)}
          </text> `,
    )}
    ${labels.map((text, index) =>
      index % every !== 0
        ? ''
        : html`<text x="${x(index).toFixed(1)}" y="${HEIGHT - 6}" text-anchor="${anchorOf(index, labels.length)}">
            ${text}
          </text> `,
    )}
    ${lines.map(({ color, values }) => pieces(values).map((piece) => drawn(piece, { color, x, y })))}
  </svg>`;
}

/** Anchor of a label. The last label is not centred, because it would extend beyond the picture. */
function anchorOf(index: number, count: number): 'middle' | 'end' {
  return index > 0 && index === count - 1 ? 'end' : 'middle';
}

type Piece = readonly { readonly index: number; readonly value: number }[];

function pieces(values: readonly (number | null)[]): readonly Piece[] {
  const found: { index: number; value: number }[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) found.push([]);
    else found.at(-1)?.push({ index, value });
  }
  return found.filter((piece) => piece.length > 0);
}

interface Scales {
  readonly color: string;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

function drawn(piece: Piece, { color, x, y }: Scales): Html {
  const points = piece.map(({ index, value }) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  // A long piece of a line has no dots.
  const dots = piece.length > 1 && points.length > 24 ? [] : piece;
  return html`${points.length < 2 ? '' : html`<path d="M${points.join('L')}" fill="none" stroke="${color}" stroke-width="2" />`}
  ${dots.map(({ index, value }) => html`<circle cx="${x(index).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3.5" fill="${color}" />`)}`;
}

/**
 * At most six ticks at round numbers. The lowest value is not below the first tick, the highest not above the last
 * tick. Steps are 1, 2 or 5 times a power of ten.
 */
export function ticksOf(lowest: number, highest: number): readonly number[] {
  const span = highest - lowest > 0 ? highest - lowest : 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= span / 4) ?? power;
  // The quotient is rounded, because 3e-5 / 1e-5 is slightly more than 3.
  const steps = (value: number): number => Number((value / step).toPrecision(12));
  const first = Math.floor(steps(lowest));
  const last = Math.max(first + 1, Math.ceil(steps(highest)));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
