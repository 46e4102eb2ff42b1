import { html } from 'hono/html';
import type { Language } from '../../../wire/words.ts';
import type { ShownTitle } from '../schemas/listed-sheets.ts';
import type { Html } from '../../../pages/layout.ts';
import type { ShownLayer } from '../../../pages/publication-cards.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import { dayText } from '../../../pages/words.ts';
import { numberText } from './section-tables.ts';
import { scrolling } from './section-tables.ts';

interface Named {
  readonly name: string;
  readonly title: ShownTitle;
}

/** Tables, series and layers that are published for a tehsil. */
export interface PublishedLists {
  readonly tables: readonly (Named & { readonly rowCount: number; readonly publishedAt: string })[];
  readonly workbook: string;
  /** Series with the days (ISO) of their first and last value. */
  readonly series: readonly (Named & { readonly first: string | undefined; readonly last: string | undefined })[];
  readonly layers: readonly ShownLayer[];
}

/** True if nothing is published. */
export const isNothing = ({ tables, series, layers }: PublishedLists): boolean =>
  tables.length + series.length + layers.length === 0;

/** Lists of tables, series and layers. Empty lists are left out. */
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
    ({ rowCount, publishedAt, ...named }) =>
      html`<tr>
        ${nameCells(named, say)}
        <td class="num">${numberText(rowCount, language, 0)}</td>
        <td>${dayText(publishedAt, language)}</td>
      </tr> `,
  );
  return html`<h3>${say('tables')}</h3>
    ${listed(say('tables'), [{ text: say('table') }, { text: say('whatItIs') }, { text: say('rows'), isNumber: true }, { text: say('publicationDay') }], rows)}
    <p class="screen"><a href="${workbook}">${say('asWorkbook')}</a></p>`;
}

function seriesPart({ series }: PublishedLists, language: Language): Html {
  const say = sayIn(language);
  if (series.length === 0) return html``;
  const rows = series.map(
    ({ first, last, ...named }) =>
      html`<tr>
        ${nameCells(named, say)}
        <td>${dayText(first, language)}</td>
        <td>${dayText(last, language)}</td>
      </tr> `,
  );
  return html`<h3>${say('series')}</h3>
    ${listed(say('series'), [{ text: say('name') }, { text: say('whatItIs') }, { text: say('firstDate') }, { text: say('lastDate') }], rows)}`;
}

function nameCells({ name, title }: Named, say: Say): Html {
  return html`<th scope="row"><code>${name}</code></th>
    <td>${title.map((part) => say(part)).join(': ')}</td>`;
}

interface Head {
  readonly text: string;
  readonly isNumber?: true;
}

function listed(label: string, heads: readonly Head[], rows: readonly Html[]): Html {
  return scrolling(
    label,
    html`<table class="shares">
      <thead>
        <tr>
          ${heads.map(({ text, isNumber }) =>
            isNumber === true ? html`<th scope="col" class="num">${text}</th>` : html`<th scope="col">${text}</th>`,
          )}
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
