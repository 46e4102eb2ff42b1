import { html } from 'hono/html';
import { stackedBar } from '../../../pages/chart.ts';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { dayText } from '../../../pages/words.ts';
import type { Language } from '../../../wire/words.ts';
import { lineChart } from './line-chart.ts';
import { numberText } from './section-tables.ts';
import { bodiesTable, scrolling, seriesTable, valuesTable } from './section-tables.ts';
import type { ReportSection, SeriesSection, ShownSource, RowsSection } from './sections.ts';

/** Table of published rows, with a note about the number of omitted rows. */
function rowsTable({ title, titleParts, heads, rows, more }: RowsSection, language: Language): Html {
  const say = sayIn(language);
  const table = scrolling(
    say(title, titleParts),
    html`<table class="shares">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${say(head)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cellText(cell, language)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
  return html`${table}${more === 0 ? '' : html`<p class="soft">${say('andMore', { count: numberText(more, language, 0) })}</p>`}`;
}

function cellText(cell: string | number | null, language: Language): string {
  return typeof cell === 'string' ? cell : numberText(cell, language, 2);
}

function sectionBody(section: ReportSection, language: Language): Html {
  if (section.kind === 'series') return seriesBody(section, language);
  if (section.kind === 'rows') return rowsTable(section, language);
  return section.kind === 'values' ? valuesTable(section, language) : bodiesTable(section, language);
}

/** A section: heading, content and sources. */
export function sectionOf(section: ReportSection, language: Language): Html {
  const say = sayIn(language);
  const { title, titleParts, note, sources } = section;
  return html`<section>
    <h2>${say(title, titleParts)}</h2>
    ${note === undefined ? '' : html`<p class="soft">${say(note)}</p>`} ${sectionBody(section, language)}
    <p class="soft">
      ${say('source')}: ${sources.map((source, index) => html`${index === 0 ? '' : '; '}${sourceOf(source, language)}`)}
    </p>
  </section> `;
}

function sourceOf({ title, href, file, publishedAt }: ShownSource, language: Language): Html {
  const say = sayIn(language);
  const own = file === undefined ? say('ownTable') : say('importedFrom', { file });
  const named = title === undefined ? html`<span>${own}</span>` : html`<span lang="en">${title}</span>`;
  const day = say('publishedOn', { day: dayText(publishedAt, language) });
  return html`${href === undefined ? named : html`<a href="${href}">${named}</a>`}, ${day}`;
}

function seriesBody(section: SeriesSection, language: Language): Html {
  const table = seriesTable(section, language);
  return html`${section.chart === 'shares' ? shareBars(section, language) : lines(section, language)}
  ${
    section.axis === 'year'
      ? table
      : html`<details open>
          <summary>${sayIn(language)('byDate')}</summary>
          ${table}
        </details>`
  }`;
}

function shareBars({ labels, measures }: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const drawn = measures.filter(({ color }) => color !== undefined);
  return html`<ul class="yearbars">
    ${labels.map((year, index) => {
      const sum = drawn.reduce((all, { values }) => all + (values[index] ?? 0), 0);
      const classes = drawn.map(({ name, color, values }) => {
        const share = sum === 0 ? 0 : (100 * (values[index] ?? 0)) / sum;
        return { title: say(name), description: '', color, share };
      });
      return html`<li><span>${year}</span>${stackedBar(classes, say('sharesIn', { year }))}</li> `;
    })}
  </ul>`;
}

function lines({ title, labels, measures, axis }: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const drawn = measures.flatMap(({ color, values }) => (color === undefined ? [] : [{ color, values }]));
  if (drawn.length === 0) return html``;
  return html`<figure>
    ${lineChart({
      labels: axis === 'year' ? labels : labels.map((day) => day.slice(0, 7)),
      lines: drawn,
      label: say('chartOf', { title: say(title) }),
      tickText: (value) => numberText(value, language, 2),
    })}
  </figure>`;
}
