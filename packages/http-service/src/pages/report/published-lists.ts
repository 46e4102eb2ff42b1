import { html } from 'hono/html';
import type { Language } from '../../wire/languages.ts';
import type { Html } from '../layout.ts';
import type { ShownLayer } from '../publication-cards.ts';
import { sayIn } from '../texts.ts';
import { dayText } from '../words.ts';
import { numberText } from './numbers.ts';
import { scrolling } from './section-tables.ts';

/** Everything that is published of a tehsil, by name. */
export interface PublishedLists {
  readonly tables: readonly { readonly name: string; readonly rowCount: number; readonly publishedAt: string }[];
  /** Address of all tables as a workbook. */
  readonly workbook: string;
  /** ISO days; undefined for a series without any. */
  readonly series: readonly {
    readonly name: string;
    readonly first: string | undefined;
    readonly last: string | undefined;
  }[];
  readonly layers: readonly ShownLayer[];
}

/** True where nothing is published. */
export const isNothing = ({ tables, series, layers }: PublishedLists): boolean =>
  tables.length + series.length + layers.length === 0;

/** Tables, series and layers, each kind where there is any. */
export function publishedLists(lists: PublishedLists, language: Language): Html {
  if (isNothing(lists)) return html``;
  return html`<section>
    <h2>${sayIn(language)('published')}</h2>
    ${tablesPart(lists, language)} ${seriesPart(lists, language)} ${layersPart(lists, language)}
  </section>`;
}

function tablesPart({ tables, workbook }: PublishedLists, language: Language): Html {
  const say = sayIn(language);
  if (tables.length === 0) return html``;
  const rows = tables.map(
    ({ name, rowCount, publishedAt }) =>
      html`<tr>
        <th scope="row"><code>${name}</code></th>
        <td class="num">${numberText(rowCount, language, 0)}</td>
        <td>${say('publishedOn', { day: dayText(publishedAt, language) })}</td>
      </tr> `,
  );
  return html`<h3>${say('tables')}</h3>
    ${listed(say('tables'), [say('table'), say('rows'), say('date')], rows)}
    <p class="screen"><a href="${workbook}">${say('asWorkbook')}</a></p>`;
}

function seriesPart({ series }: PublishedLists, language: Language): Html {
  const say = sayIn(language);
  if (series.length === 0) return html``;
  const rows = series.map(
    ({ name, first, last }) =>
      html`<tr>
        <th scope="row"><code>${name}</code></th>
        <td>${dayText(first, language)}</td>
        <td>${dayText(last, language)}</td>
      </tr> `,
  );
  return html`<h3>${say('series')}</h3>
    ${listed(say('series'), [say('name'), say('firstDate'), say('lastDate')], rows)}`;
}

function listed(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  return scrolling(
    label,
    html`<table class="shares">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function layersPart({ layers }: PublishedLists, language: Language): Html {
  if (layers.length === 0) return html``;
  return html`<h3>${sayIn(language)('layers')}</h3>
    <ul class="plain">
      ${layers.map(({ title, href }) => html`<li><a href="${href}" lang="en">${title}</a></li> `)}
    </ul>`;
}
