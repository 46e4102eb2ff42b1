import { html } from 'hono/html';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, type Crumb, crumbs, facts } from '../../../pages/parts.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import { shellWord } from '../../../pages/shell-word.ts';
import { columnsOf, rowsOf, sizeOf, tableEnd, tableTitle, tableFiles, type TablePageFacts } from './table-parts.ts';
import { validationPage } from './validation-page.ts';

interface ListedTable {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly published: string;
  readonly href: string;
  readonly csv: string;
}

/** Data of the page of a tehsil's tables. */
export interface TablesPageFacts {
  readonly shell: Shell;
  readonly prefix: string;
  readonly above: readonly Crumb[];
  readonly tables: readonly ListedTable[];
  readonly workbook: string;
  readonly self: string;
  readonly version: string;
}

const MOST_COLUMNS = 12;

/** Page of the tables of a tehsil, with the files of each. */
export function tablesPage({ prefix, above, tables, workbook, self, version, shell }: TablesPageFacts): Html {
  const say = sayIn(shell.language);
  const names = above.slice(1).map(({ title }) => title);
  const place = names.at(-1) ?? '';
  const heading = say('tablesOf', { place });
  const body = html`${crumbs(above, say('tables'), say('breadcrumb'))}
    <h1>${heading}</h1>
    <p class="lead">${say('tablesLead')}</p>
    <p>
      <a class="button" href="${workbook}">${say('allTables')} <small>xlsx</small></a>
    </p>
    ${listOf(tables, say)}
    <h2>${say('forPrograms')}</h2>
    <p>${say('jsonUnlessHtml')} <a href="?format=json">${say('seeJson')}</a>.</p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, say('fetchList'))} ${foot(version, [])}`;
  const title = say('tablesTitle', { place: names.toReversed().join(', ') });
  return page({ title, description: say('tablesDescription', { place }), prefix, body, script: true, ...shell });
}

function listOf(tables: readonly ListedTable[], say: Say): Html {
  return html`<ul class="found" aria-label="${say('tables')}">
    ${tables.map(
      ({ name, rowCount, columns, published, href, csv }) =>
        html`<li>
          <a href="${href}">${name}</a>
          <p>
            ${say('rowsAndColumns', { rows: String(rowCount), columns: String(columns.length) })},
            ${say('publishedOn', { day: published })} ·
            <a href="${csv}" download="${name}.csv">CSV<span class="hidden">: ${name}</span></a>
          </p>
          <p>${columns.slice(0, MOST_COLUMNS).join(', ')}${columns.length > MOST_COLUMNS ? ', …' : ''}</p>
        </li> `,
    )}
  </ul>`;
}

/** Page of a table: its rows, columns and files. The table of a validation (accuracy of a map) is shown as a report. */
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
      [say('key'), shown.key],
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
