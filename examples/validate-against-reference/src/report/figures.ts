import { type Html, type ShownClass, swatch } from '@headwater/accuracy/report';
import { html } from 'hono/html';
import type { Mark } from '../compare-labels.ts';
import { type Picture, SHADES, type Size, STEPS } from '../pictures.ts';

/** Maximum number of marks, because more marks would hide each other and the map. */
const MOST_MARKS = 3000;

/** Pictures of a report. */
export interface Pictures {
  readonly full: Size;
  readonly map: Picture;
  readonly differences: Picture;
  /** Labels on the map; undefined for a reference raster. */
  readonly marks: readonly Mark[] | undefined;
}

/** Returns two figures: the map with its marks, and the differences between map and reference. */
export function figures({ full, map, differences, marks }: Pictures, classes: readonly ShownClass[]): Html {
  return html`<div class="pictures">
    <figure>
      ${marks === undefined ? html`<img src="${map.href}" width="${map.cols}" height="${map.rows}" alt="The map in the colours of its classes" />` : markedMap(map, marks, full)}
      <figcaption>
        ${marks === undefined ? 'The map.' : markText(marks)}
        <ul class="key">
          ${classes.map(({ title, shownColor }) => html`<li>${swatch(shownColor)}${title}</li> `)}
        </ul>
      </figcaption>
    </figure>
    <figure>
      <img
        src="${differences.href}"
        width="${differences.cols}"
        height="${differences.rows}"
        alt="Squares of the map; a darker red means that a larger share of the comparisons differs"
      />
      <figcaption>
        Differences between map and reference: for each square, the share of its comparisons that differ. White: nothing
        was compared.
        <ul class="key">
          ${SHADES.map((shade, i) => html`<li>${swatch(shade)}${stepText(i)}</li> `)}
        </ul>
      </figcaption>
    </figure>
  </div>`;
}

function stepText(i: number): string {
  const to = 100 * (STEPS[i] ?? 1);
  return i === 0 ? 'none' : `up to ${to} %`;
}

function markText(marks: readonly Mark[]): string {
  const wrong = marks.filter(({ isRight }) => !isRight).length;
  const shown = marks.length > MOST_MARKS ? ` The map shows ${MOST_MARKS} of the ${marks.length} labels.` : '';
  return `The map with the reference labels: ${marks.length - wrong} agree (white circles), ${wrong} do not (black crosses).${shown}`;
}

/** Draws the map with its marks. Circles and crosses can be distinguished without colours. */
function markedMap({ cols, rows, href }: Picture, marks: readonly Mark[], full: Size): Html {
  const step = Math.max(1, marks.length / MOST_MARKS);
  const picked = Array.from({ length: Math.min(marks.length, MOST_MARKS) }, (_, i) => marks[Math.floor(i * step)]);
  const size = Math.max(cols, rows) / (picked.length > 400 ? 160 : 90);
  const path = (isRight: boolean, shape: (x: number, y: number) => string): string =>
    picked
      .flatMap((mark) =>
        mark?.isRight === isRight ? [shape((mark.col / full.cols) * cols, (mark.row / full.rows) * rows)] : [],
      )
      .join('');
  const n = (value: number): string => value.toFixed(1);
  const circle = (x: number, y: number): string =>
    `M${n(x - size)} ${n(y)}a${n(size)} ${n(size)} 0 1 0 ${n(2 * size)} 0a${n(size)} ${n(size)} 0 1 0 ${n(-2 * size)} 0z`;
  const cross = (x: number, y: number): string =>
    `M${n(x - size)} ${n(y - size)}l${n(2 * size)} ${n(2 * size)}m0 ${n(-2 * size)}l${n(-2 * size)} ${n(2 * size)}`;
  const crosses = path(false, cross);
  return html`<svg
    viewBox="0 0 ${cols} ${rows}"
    role="img"
    aria-label="The map with the reference labels: circles if the map agrees, crosses if it does not"
  >
    <image href="${href}" width="${cols}" height="${rows}" />
    <path class="right" fill-opacity="0.75" stroke-width="${n(size / 3)}" d="${path(true, circle)}" />
    <path class="wrong-under" fill="none" stroke-width="${n(size)}" d="${crosses}" />
    <path class="wrong" fill="none" stroke-width="${n(size / 2)}" d="${crosses}" />
  </svg>`;
}
