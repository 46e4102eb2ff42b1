import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { AssessedClass, Figure } from '../assess/assessment.ts';
import { percent } from '../assess/reading.ts';

/** Colours that are distinct for people with colour vision deficiency (Okabe and Ito 2008). */
const SPARE = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#999999'] as const;

/** Returns the colour of a class, `#rrggbb`; the default depends on the index in the legend. */
export function colorOf(place: number, color: string | undefined): string {
  return color ?? SPARE[place % SPARE.length] ?? '#999999';
}

/** A part of a report as HTML, in which all text is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A class with its display colour. */
export interface ShownClass extends AssessedClass {
  readonly shownColor: string;
}

/** Adds to each class its display colour; `names` are the names of the legend's classes. */
export function shownClasses(classes: readonly AssessedClass[], names: readonly string[]): readonly ShownClass[] {
  return classes.map((each) => ({ ...each, shownColor: colorOf(names.indexOf(each.name), each.color) }));
}

/** Returns a square in the colour of a class. */
export function swatch(color: string): Html {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="${color}" />
  </svg>`;
}

/** Returns a bar for a share of 0-1, with a line for its interval. */
export function rateBar({ value, low, high }: Figure, kind: '' | 'area' = ''): Html {
  const at = (share: number): string => (100 * share).toFixed(2);
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" />
    <rect class="value ${kind}" width="${at(value)}" height="10" />
    ${low === null || high === null ? '' : whisker(at(low), at(high - low), at(high))}
  </svg>`;
}

function whisker(from: string, width: string, to: string): Html {
  return html`<rect class="range" x="${from}" y="4.4" width="${width}" height="1.2" /><rect
      class="end"
      x="${from}"
      y="2"
      width="0.5"
      height="6"
    /><rect class="end" x="${(Number(to) - 0.5).toFixed(2)}" y="2" width="0.5" height="6" />`;
}

/** Formats a figure as `97.1 % (96.0 to 98.2)`; a dash without a figure. */
export function rateText(figure: Figure | null): string {
  if (figure === null) return '\u2013';
  const { value, low, high } = figure;
  if (low === null || high === null) return percent(value);
  return `${percent(value)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
}
