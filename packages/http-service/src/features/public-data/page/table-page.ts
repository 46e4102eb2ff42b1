import { html } from 'hono/html';
import { page, type Html } from '../../../pages/layout.ts';
import { crumbs, facts } from '../../../pages/parts.ts';
import { columnsOf, rowsOf, sizeOf, tableEnd, tableTitle, tableFiles, type TablePageFacts } from './table-parts.ts';
import { validationPage } from './validation-page.ts';

/** Page of a table: its rows, columns and files. For a validation table, the page is its report. */
export function tablePage(shown: TablePageFacts): Html {
  const { prefix, name, above, layer, columns, validation } = shown;
  if (validation !== undefined) return validationPage(shown, validation);
  const { size, some } = sizeOf(shown);
  const body = html`${crumbs(above, name)}
    <h1>${name}</h1>
    <p class="lead">${size}.${some}</p>
    ${facts([
      ['Layer', layer === undefined ? undefined : html`<a href="${layer.href}">${layer.title}</a>`],
      ['Key', shown.key],
      ['Published', shown.published],
      ['Version', shown.tableVersion],
    ])}
    ${tableFiles(shown)} ${rowsOf(shown)} ${columnsOf(columns)} ${tableEnd(shown)}`;
  return page({
    title: tableTitle(shown, name),
    description: `Table ${name}: ${size}.`,
    prefix,
    body,
    script: true,
    account: shown.account,
  });
}
