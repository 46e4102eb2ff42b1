import { html } from 'hono/html';
import { hidden, notices } from '../../../pages/form-parts.ts';
import type { Html } from '../../../pages/layout.ts';
import { addressWith, pager } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import type {
  AdminChoice,
  AdminColumn,
  AdminFilter,
  AdminPage,
  AdminQuery,
  AdminResource,
  AdminRow,
} from '../../../seam/admin-resource.ts';
import { paths } from '../../../wire/paths.ts';
import { adminHref, adminTarget, adminPage, plainText, textFor, valueOf } from './admin-parts.ts';

/** Maximum number of rows on one page of a list. */
export const PAGE_ROWS = 50;

/** Prefix of the names of filters in an address. */
export const FILTER_PREFIX = 'by_';
/** Prefix of the names of chosen rows in a form. */
export const ROW_PREFIX = 'row:';

/** A filter with its choices. */
export interface ShownFilter extends AdminFilter {
  readonly choices: readonly AdminChoice[];
}

/** Data of a list. */
export interface ListFacts {
  readonly resource: AdminResource;
  readonly filters: readonly ShownFilter[];
  readonly query: AdminQuery;
  readonly page: AdminPage;
  readonly parts: readonly Html[];
  readonly token: string;
  readonly notices: readonly string[];
  readonly problems: readonly string[];
}

function wholeList(reader: Reader, { name }: AdminResource): string {
  return adminHref({ ...reader, list: undefined }, name);
}

function listHref(reader: Reader, { resource, query }: ListFacts, change: Partial<AdminQuery>): string {
  const { search, filters, sort, offset } = { ...query, offset: 0, ...change };
  const order = sort === undefined ? '' : `${sort.isDescending ? '-' : ''}${sort.column}`;
  const page = offset === 0 ? '' : String(Math.floor(offset / PAGE_ROWS) + 1);
  const sent = new URLSearchParams();
  if (search !== '') sent.set('q', search);
  for (const [name, value] of Object.entries(filters)) sent.set(FILTER_PREFIX + name, value);
  if (order !== '') sent.set('sort', order);
  if (page !== '') sent.set('page', page);
  return addressWith(wholeList(reader, resource), Object.fromEntries(sent));
}

/** The list of a resource. */
export function listPage(reader: Reader, shown: ListFacts): Html {
  const { say } = reader;
  const { resource, parts } = shown;
  const heading = textFor(reader, resource.title);
  const one = textFor(reader, resource.one);
  const body = html`${resource.lead === undefined ? '' : html`<p class="lead">${textFor(reader, resource.lead)}</p>`}
  ${shown.notices.map((text) => html`<p class="empty" role="status">${text}</p>`)} ${notices(shown.problems)} ${parts}
  ${
    resource.add === undefined
      ? ''
      : html`<p><a class="button" href="${adminHref(reader, resource.name, 'add')}">${say('addOne', { one })}</a></p>`
  }
  ${searchForm(reader, shown)} ${shown.filters.map((filter) => filterLinks(reader, shown, filter))}
  ${table(reader, shown)} ${pages(reader, shown)}`;
  return adminPage(reader, { heading, title: titleOf(reader, shown), body });
}

function titleOf(reader: Reader, { resource, query, filters: shown }: ListFacts): string {
  const { say } = reader;
  const { search, filters, sort, offset } = query;
  const heading = textFor(reader, resource.title);
  const chosen = shown.flatMap(({ name, label, choices }) => {
    const choice = choices.find(({ value }) => value === filters[name]);
    return choice === undefined ? [] : [`${textFor(reader, label)}: ${textFor(reader, choice.label)}`];
  });
  const named = [search === '' ? heading : `${heading}: ${search}`, ...chosen].join(', ');
  const column = resource.columns.find(({ name }) => name === sort?.column);
  const sorted =
    column === undefined
      ? named
      : say(sort?.isDescending === true ? 'sortedDown' : 'sortedUp', {
          title: named,
          column: textFor(reader, column.label),
        });
  const number = Math.floor(offset / PAGE_ROWS) + 1;
  return number === 1 ? sorted : say('pageNumber', { title: sorted, number: String(number) });
}

function searchForm(reader: Reader, { resource, query }: ListFacts): Html {
  if (resource.search === undefined) return html``;
  const { sort } = query;
  return html`<form class="search" method="get" action="${wholeList(reader, resource)}" role="search">
    <label for="q">${textFor(reader, resource.search)}</label>
    <input id="q" name="q" type="search" value="${query.search}" maxlength="200" autocomplete="off" />
    ${reader.chosen === undefined ? '' : hidden('lang', reader.chosen)}
    ${Object.entries(query.filters).map(([name, value]) => hidden(FILTER_PREFIX + name, value))}
    ${sort === undefined ? '' : hidden('sort', `${sort.isDescending ? '-' : ''}${sort.column}`)}
    <button class="button" type="submit">${reader.say('searchButton')}</button>
  </form>`;
}

function filterLinks(reader: Reader, shown: ListFacts, { name, label, choices }: ShownFilter): Html {
  const { [name]: chosen, ...others } = shown.query.filters;
  const title = textFor(reader, label);
  const link = (value: string | undefined, text: string): Html => {
    const href = listHref(reader, shown, { filters: value === undefined ? others : { ...others, [name]: value } });
    return html`<li><a href="${href}" ${value === chosen ? html` aria-current="true"` : ''}>${text}</a></li>`;
  };
  return html`<nav aria-label="${title}">
    <p class="soft">${title}</p>
    <ul class="filters">
      ${link(undefined, reader.say('all'))}
      ${choices.map((choice) => link(choice.value, textFor(reader, choice.label)))}
    </ul>
  </nav>`;
}

function table(reader: Reader, shown: ListFacts): Html {
  const { say } = reader;
  const { resource, page, query, token } = shown;
  const isNarrowed = query.search !== '' || Object.keys(query.filters).length > 0;
  if (page.rows.length === 0)
    return html`<p class="empty">
      ${say('noRows')}
      ${isNarrowed || query.offset > 0 ? html`<a href="${wholeList(reader, resource)}">${say('clearSearch')}</a>` : ''}
    </p>`;
  const bulk = (resource.actions ?? []).filter(({ isBulk }) => isBulk === true);
  const whole = html`<div class="scroll" tabindex="0" role="region" aria-label="${textFor(reader, resource.title)}">
    <table>
      <caption>
        ${say('rangeOf', rangeOf(shown))}
      </caption>
      <thead>
        <tr>
          ${bulk.length === 0 ? '' : html`<th scope="col">${say('choose')}</th>`}
          ${resource.columns.map((column) => columnHead(reader, shown, column))}
        </tr>
      </thead>
      <tbody>
        ${page.rows.map((row) => tableRow(reader, resource, { row, hasBox: bulk.length > 0 }))}
      </tbody>
    </table>
  </div>`;
  if (bulk.length === 0) return whole;
  return html`<form method="post" action="${adminTarget(reader, resource.name, 'actions')}">
    ${hidden('token', token)} ${whole}
    <p>${say('withChosen')}</p>
    <ul class="buttons">
      ${bulk.map(
        ({ name, label }) =>
          html`<li>
            <button class="button plainer" type="submit" name="action" value="${name}">
              ${textFor(reader, label)}
            </button>
          </li> `,
      )}
    </ul>
  </form>`;
}

function rangeOf({ query, page }: ListFacts): Readonly<Record<string, string>> {
  const { offset } = query;
  return { from: String(offset + 1), to: String(offset + page.rows.length), total: String(page.total) };
}

function columnHead(reader: Reader, shown: ListFacts, { name, label, isSortable }: AdminColumn): Html {
  const text = textFor(reader, label);
  if (isSortable !== true) return html`<th scope="col">${text}</th>`;
  const { sort } = shown.query;
  const isOwn = sort?.column === name;
  const isDescending = isOwn && !sort.isDescending;
  const state = isOwn ? html` aria-sort="${sort.isDescending ? 'descending' : 'ascending'}"` : '';
  const mark = isOwn ? html` <span aria-hidden="true">${sort.isDescending ? '↓' : '↑'}</span>` : '';
  const href = listHref(reader, shown, { sort: { column: name, isDescending } });
  return html`<th scope="col" ${state}><a href="${href}">${text}</a>${mark}</th>`;
}

/** Name of a row in its list: the text of the first column. If this text is empty, the id. */
export function rowName({ columns }: Pick<AdminResource, 'columns'>, { id, values }: AdminRow): string {
  const text = plainText(values[columns[0]?.name ?? '']);
  return text === '' ? id : text;
}

function tableRow(
  reader: Reader,
  resource: AdminResource,
  { row, hasBox }: { readonly row: AdminRow; readonly hasBox: boolean },
): Html {
  const title = rowName(resource, row);
  const box = html`<td>
    <input
      type="checkbox"
      name="${ROW_PREFIX}${row.id}"
      value="on"
      aria-label="${reader.say('chooseNamed', { title })}"
    />
  </td>`;
  const cells = resource.columns.map(({ name }, index) => {
    const value = row.values[name];
    const hasOwnLink = typeof value === 'object' && value?.href !== undefined;
    return index === 0 && resource.find !== undefined && !hasOwnLink
      ? html`<td><a href="${adminHref(reader, resource.name, row.id)}">${title}</a></td> `
      : html`<td>${valueOf(reader, value)}</td> `;
  });
  return html`<tr>
    ${hasBox ? box : ''}${cells}
  </tr> `;
}

function pages(reader: Reader, shown: ListFacts): Html | '' {
  const { say } = reader;
  const { query, page } = shown;
  const { offset } = query;
  const hasMore = page.rows.length > 0 && offset + page.rows.length < page.total;
  return pager(
    {
      ...(offset > 0 && { newer: listHref(reader, shown, { offset: Math.max(0, offset - PAGE_ROWS) }) }),
      ...(hasMore && { older: listHref(reader, shown, { offset: offset + PAGE_ROWS }) }),
      ...(page.rows.length > 0 && { shown: say('rangeOf', rangeOf(shown)) }),
    },
    [say('previousPage'), say('nextPage')],
    say('pages'),
  );
}

/** A resource on the first page of the admin, with the number of its rows. */
export interface IndexEntry {
  readonly resource: AdminResource;
  readonly count: number | undefined;
}

const SECTIONS = [
  ['people', 'sectionPeople'],
  ['data', 'sectionData'],
  ['work', 'sectionWork'],
  ['service', 'sectionService'],
] as const satisfies readonly (readonly [AdminResource['section'], string])[];

/** The first page of the admin: all resources by section, then `latest`. */
export function indexPage(reader: Reader, entries: readonly IndexEntry[], latest: Html): Html {
  const { say } = reader;
  const sections = SECTIONS.map(([section, title]) => {
    const own = entries.filter(({ resource }) => resource.section === section);
    return own.length === 0
      ? ''
      : html`<h2 id="${section}">${say(title)}</h2>
          <ul class="layers">
            ${own.map((entry) => indexCard(reader, entry))} ${section === 'data' ? stacCard(reader) : ''}
          </ul>`;
  });
  const body = html`<p class="lead">${say('adminLead')}</p>
    ${sections} ${latest}`;
  return adminPage(reader, { heading: say('admin'), body });
}

function stacCard({ prefix, say }: Reader): Html {
  return html`<li class="card">
    <h3><a href="${prefix}${paths.catalog}">${say('stacBrowser')}</a></h3>
    <p>${say('stacBrowserLead')}</p>
  </li> `;
}

function indexCard(reader: Reader, { resource, count }: IndexEntry): Html {
  const { title, lead, name } = resource;
  return html`<li class="card">
    <h3><a href="${adminHref(reader, name)}">${textFor(reader, title)}</a></h3>
    ${lead === undefined ? '' : html`<p>${textFor(reader, lead)}</p>`}
    ${count === undefined ? '' : html`<p>${reader.say('entries', { count: String(count) })}</p>`}
  </li> `;
}
