import type { StoredValidation } from '@headwater/accuracy/report';
import { html } from 'hono/html';
import { shellWord } from '../../../pages/shell-word.ts';
import { foot, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, type Crumb } from '../../../pages/parts.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';

/** A column of a table. */
export interface ShownColumn {
  readonly name: string;
  /** '' if the column has none. */
  readonly unit: string;
  readonly description: string;
  readonly isNumber: boolean;
}

/** Data of a table's page. */
export interface TablePageFacts {
  readonly shell: Shell;
  readonly prefix: string;
  readonly name: string;
  readonly above: readonly Crumb[];
  readonly layer: Crumb | undefined;
  readonly validation: StoredValidation | undefined;
  /** Column whose value identifies a row. */
  readonly key: string;
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly rowCount: number;
  readonly published: string;
  readonly tableVersion: string;
  readonly self: string;
  readonly csv: string;
  readonly version: string;
}

/** Title of a table's document, with its place. */
export function tableTitle({ above, shell }: Pick<TablePageFacts, 'above' | 'shell'>, name: string): string {
  const names = above.slice(1).map(({ title }) => title);
  return sayIn(shell.language)('tableTitle', { name, place: names.toReversed().join(', ') });
}

/** Links to the table's files. */
export function tableFiles({ csv, name }: TablePageFacts): Html {
  return html`<ul class="buttons">
    <li><a class="button" href="${csv}" download="${name}.csv">CSV</a></li>
    <li><a class="button" href="?format=json">JSON</a></li>
  </ul>`;
}

/** End of a table's page: address for programs, and the version. */
export function tableEnd({ self, version, shell }: TablePageFacts): Html {
  const say = sayIn(shell.language);
  return html`<h2>${say('forPrograms')}</h2>
    <p>${say('jsonUnlessHtml')} <a href="?format=json">${say('seeJson')}</a>.</p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, say('fetchTable'))} ${foot(version, [])}`;
}

/** Size of a table as text, with a note about omitted rows. */
export function sizeOf(
  { rows, rowCount, columns }: TablePageFacts,
  say: Say,
): { readonly size: string; readonly some: string } {
  const some = rows.length < rowCount ? say('firstRows', { count: String(rows.length) }) : '';
  return { size: say('rowsAndColumns', { rows: String(rowCount), columns: String(columns.length) }), some };
}

/** HTML table of the rows. */
export function rowsOf({ name, columns, rows, key, shell }: TablePageFacts): Html {
  const at = columns.findIndex((column) => column.name === key);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${sayIn(shell.language)('rowsOf', { name })}">
    <table class="shares" lang="en">
      <thead>
        <tr>
          ${columns.map(({ name: column, isNumber }) => html`<th scope="col" class="${isNumber ? 'num' : ''}">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((text, index) => cell(text, { isKey: index === at, isNumber: columns[index]?.isNumber === true }))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function cell(text: string, { isKey, isNumber }: { readonly isKey: boolean; readonly isNumber: boolean }): Html {
  if (isKey) return html`<th scope="row">${text}</th>`;
  return html`<td class="${isNumber ? 'num' : ''}">${text}</td>`;
}

/** HTML table of the columns with unit and description. */
export function columnsOf(columns: readonly ShownColumn[], say: Say): Html {
  return html`<h2>${say('columns')}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${say('columns')}">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('name')}</th>
            <th scope="col">${say('unit')}</th>
            <th scope="col">${say('description')}</th>
          </tr>
        </thead>
        <tbody lang="en">
          ${columns.map(
            ({ name, unit, description }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${unit}</td>
                <td>${description}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}
