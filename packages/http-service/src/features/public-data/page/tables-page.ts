import { html } from 'hono/html';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, type Crumb, crumbs } from '../../../pages/parts.ts';
import { shellWord } from '../../../pages/shell-word.ts';

/** A table in the list of a tehsil. */
interface ListedTable {
  readonly name: string;
  readonly rowCount: number;
  /** Names of its columns. */
  readonly columns: readonly string[];
  readonly published: string;
  readonly href: string;
  readonly csv: string;
}

/** Data of the page of a tehsil's tables. */
export interface TablesPageFacts {
  /** Link of the shell to the pages of the reader; undefined if the service has none. */
  readonly account?: Account | undefined;
  readonly prefix: string;
  /** Catalogue, state, district, tehsil. */
  readonly above: readonly Crumb[];
  readonly tables: readonly ListedTable[];
  /** Address of the workbook with all tables. */
  readonly workbook: string;
  /** Absolute address of this list. */
  readonly self: string;
  readonly version: string;
}

/** Columns that are named in the list. */
const MOST_COLUMNS = 12;

/** Page of the tables of a tehsil, with the files of each. */
export function tablesPage({ prefix, above, tables, workbook, self, version, account }: TablesPageFacts): Html {
  const names = above.slice(1).map(({ title }) => title);
  const heading = `Tables of ${names.at(-1) ?? ''}`;
  const body = html`${crumbs(above, 'Tables')}
    <h1>${heading}</h1>
    <p class="lead">Figures by micro-watershed, to read here or to open in a spreadsheet.</p>
    <p>
      <a class="button" href="${workbook}">All tables as a workbook <small>xlsx</small></a>
    </p>
    ${listOf(tables)}
    <h2>For programs</h2>
    <p>This address returns JSON unless the request accepts HTML; <a href="?format=json">see the JSON here</a>.</p>
    ${copyText(`curl -sw '\\n' ${shellWord(self)}`, 'the command that fetches this list')} ${foot(version, [])}`;
  const title = ['Tables', ...names.toReversed()].join(', ');
  return page({ title, description: `${heading}, as pages and files.`, prefix, body, script: true, account });
}

function listOf(tables: readonly ListedTable[]): Html {
  return html`<ul class="found" aria-label="Tables">
    ${tables.map(
      ({ name, rowCount, columns, published, href, csv }) =>
        html`<li>
          <a href="${href}">${name}</a>
          <p>
            ${rowCount} rows of ${columns.length} columns, published ${published} ·
            <a href="${csv}" download="${name}.csv">CSV<span class="hidden"> of ${name}</span></a>
          </p>
          <p>${columns.slice(0, MOST_COLUMNS).join(', ')}${columns.length > MOST_COLUMNS ? ', …' : ''}</p>
        </li> `,
    )}
  </ul>`;
}
