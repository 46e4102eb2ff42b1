import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';

/** Line drawings in a square of 48 units, by a word of the theme; the first that fits is drawn. */
const SIGNS: readonly (readonly [words: RegExp, path: string])[] = [
  [/land cover/i, 'M6 30l12-8 10 6 14-10v22H6zM18 22v18M28 28v12M34 12a4 4 0 1 1 .1 0'],
  [
    /crop/i,
    'M24 42V16M24 22c-8 0-10-5-10-10 8 0 10 5 10 10zM24 22c8 0 10-5 10-10-8 0-10 5-10 10zM24 34c-7 0-10-4-10-9 8 0 10 4 10 9zM24 34c7 0 10-4 10-9-8 0-10 4-10 9z',
  ],
  [/stream|drain/i, 'M8 8c4 8 10 8 14 14s0 12 4 20M38 8c-2 8-8 8-16 14M42 26c-6 2-10 4-17 7'],
  [/water/i, 'M24 6c6 9 11 15 11 22a11 11 0 0 1-22 0c0-7 5-13 11-22zM18 29a6 6 0 0 0 6 6'],
  [/vegetation|ndvi/i, 'M24 42V24M24 30c-11 0-14-8-14-16 11 0 14 8 14 16zM24 24c9 0 14-6 14-14-10 0-14 6-14 14z'],
  [/terrain|relief|slope/i, 'M4 40l14-24 8 13 6-9 12 20zM14 23l4 4 4-3'],
  [/bound/i, 'M8 14l14-6 18 8-4 16-14 8-14-8zM22 8l2 14-16 8M24 22l16-6M24 22l-2 18'],
  [/quality|accuracy/i, 'M10 26l9 9 19-22'],
];
const OTHER = 'M8 12l10-4 12 4 10-4v28l-10 4-12-4-10 4zM18 8v28M30 12v28';

/** Drawing for a theme, for computations without a picture of a layer. */
export function themeSign(theme: string): Html {
  const path = SIGNS.find(([words]) => words.test(theme))?.[1] ?? OTHER;
  return html`<svg class="sign" viewBox="-24 -4 96 56" aria-hidden="true"><path d="${path}" /></svg>`;
}
