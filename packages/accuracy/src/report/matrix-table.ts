import { html } from 'hono/html';
import { amount, percent } from '../assess/reading.ts';
import { type Html, type ShownClass, swatch } from './parts.ts';

/**
 * The confusion matrix as a table: the rows are classes of the map, the columns classes of the reference. A darker cell has a larger share
 * of its row.
 */
export function matrixTable(
  classes: readonly ShownClass[],
  matrix: readonly (readonly number[])[],
  units: string,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">
    <table class="matrix">
      <caption>
        Number of ${units}. Rows: class on the map; columns: class in the reference. The darker the tint, the larger the
        share of its row.
      </caption>
      <thead>
        <tr>
          <th scope="col">Map \\ reference</th>
          ${classes.map(({ title, shownColor }) => html`<th scope="col">${swatch(shownColor)}${title}</th> `)}
          <th scope="col" class="sum">All</th>
          <th scope="col">Precision</th>
        </tr>
      </thead>
      <tbody>
        ${classes.map((each, row) => matrixRow(each, matrix[row] ?? [], row))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          ${classes.map(({ reference }) => html`<td>${amount(reference)}</td> `)}
          <td class="sum">${amount(classes.reduce((sum, { mapped }) => sum + mapped, 0))}</td>
          <td></td>
        </tr>
        <tr>
          <th scope="row">Recall</th>
          ${classes.map(({ recall }) => html`<td>${recall === null ? '\u2013' : percent(recall.value)}</td> `)}
          <td class="sum"></td>
          <td></td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function matrixRow({ title, shownColor, mapped, precision }: ShownClass, counts: readonly number[], row: number): Html {
  return html`<tr>
    <th scope="row">${swatch(shownColor)}${title}</th>
    ${counts.map((count, col) => html`<td class="${tint(count / mapped, row === col)}">${amount(count)}</td> `)}
    <td class="sum">${amount(mapped)}</td>
    <td>${precision === null ? '\u2013' : percent(precision.value)}</td>
  </tr> `;
}

/** Name of a tint for a share of a row. */
function tint(share: number, isSame: boolean): string {
  if (!(share > 0)) return 'none';
  // The square root gives small shares a darker tint, so that rare errors are visible.
  return `${isSame ? 's' : 'o'}${Math.min(9, Math.floor((isSame ? share : Math.sqrt(share)) * 10))}`;
}
