import { html } from 'hono/html';
import { page, type Html } from '../../../pages/layout.ts';
import { crumbs, facts } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { columnsOf, rowsOf, sizeOf, tableEnd, tableTitle, tableFiles, type TablePageFacts } from './table-parts.ts';
import { validationPage } from './validation-page.ts';

/** Page of a table: its rows, columns and files. For a validation table, the page is its report. */
export function tablePage(shown: TablePageFacts): Html {
  const { prefix, name, above, layer, columns, validation, shell } = shown;
  if (validation !== undefined) return validationPage(shown, validation);
  const say = sayIn(shell.language);
  const { size, some } = sizeOf(shown, say);
  const body = html`${crumbs(above, name, say('breadcrumb'))}
    <h1>${name}</h1>
    <p class="lead">${size}. ${some}</p>
    ${facts([
      [say('layer'), layer === undefined ? undefined : html`<a lang="en" href="${layer.href}">${layer.title}</a>`],
      [say('keyColumn'), shown.key],
      [say('publicationDay'), shown.published],
      [say('version'), shown.tableVersion],
    ])}
    ${tableFiles(shown)} ${rowsOf(shown)} ${columnsOf(columns, say)} ${tableEnd(shown)}`;
  return page({
    title: tableTitle(shown, name),
    description: say('tableDescription', { name, size }),
    prefix,
    body,
    script: true,
    ...shell,
  });
}
