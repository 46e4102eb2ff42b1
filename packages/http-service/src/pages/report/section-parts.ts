import { html } from 'hono/html';
import type { Language } from '../../wire/languages.ts';
import { stackedBar, swatch } from '../chart.ts';
import type { Html } from '../layout.ts';
import { lineChart } from '../line-chart.ts';
import { type Say, sayIn } from '../texts.ts';
import { dayText } from '../words.ts';
import { numberText } from './numbers.ts';
import type { BodiesSection, ReportSection, SeriesSection, ShownSource, ValuesSection } from './sections.ts';

/** Everything below a section's heading. */
export function sectionBody(section: ReportSection, language: Language): Html {
  if (section.kind === 'series') return seriesBody(section, language);
  return section.kind === 'values' ? valuesTable(section, language) : bodiesTable(section, language);
}

/** A heading, what the section shows, and where that comes from. */
export function sectionOf(section: ReportSection, language: Language): Html {
  const say = sayIn(language);
  const { title, note, sources } = section;
  return html`<section>
    <h2>${say(title)}</h2>
    ${note === undefined ? '' : html`<p class="soft">${say(note)}</p>`} ${sectionBody(section, language)}
    <p class="soft">
      ${say('source')}: ${sources.map((source, index) => html`${index === 0 ? '' : '; '}${sourceOf(source, language)}`)}
    </p>
  </section> `;
}

function sourceOf({ title, href, publishedAt }: ShownSource, language: Language): Html {
  const named = html`<span lang="en">${title}</span>`;
  const day = sayIn(language)('publishedOn', { day: dayText(publishedAt, language) });
  return html`${href === undefined ? named : html`<a href="${href}">${named}</a>`}, ${day}`;
}

function seriesBody(section: SeriesSection, language: Language): Html {
  const table = seriesTable(section, language);
  return html`${section.chart === 'shares' ? shareBars(section, language) : lines(section, language)}
  ${
    section.axis === 'year'
      ? table
      : html`<details open>
          <summary>${sayIn(language)('date')}</summary>
          ${table}
        </details>`
  }`;
}

/** A bar for each year, whose parts are shares of what is known of it. */
function shareBars({ labels, measures }: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  return html`<ul class="yearbars">
    ${labels.map((year, index) => {
      const sum = measures.reduce((all, { values }) => all + (values[index] ?? 0), 0);
      const classes = measures.map(({ name, color, values }) => {
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
  return html`<figure>
    ${lineChart({
      labels: axis === 'year' ? labels : labels.map((day) => day.slice(0, 7)),
      lines: drawn,
      label: say('chartOf', { title: say(title) }),
      tickText: (value) => numberText(value, language, 2),
    })}
  </figure>`;
}

/** Years beside each other; days, which are many, below each other. */
function seriesTable(section: SeriesSection, language: Language): Html {
  return section.axis === 'year' ? yearsTable(section, language) : daysTable(section, language);
}

function captionOf({ title, unit }: Pick<SeriesSection, 'title' | 'unit'>, say: Say): string {
  return unit === undefined ? say(title) : `${say(title)}, ${say(unit)}`;
}

function scrolling(label: string, table: Html): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

function yearsTable(section: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const caption = captionOf(section, say);
  return scrolling(
    caption,
    html`<table class="shares">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${say('measure')}</th>
          ${section.labels.map((year) => html`<th scope="col" class="num">${year}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${section.measures.map(
          ({ name, color, values }) =>
            html`<tr>
              <th scope="row">${swatch(color)}${say(name)}</th>
              ${values.map((value) => html`<td class="num">${numberText(value, language, color === undefined ? 2 : 1)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
}

function daysTable(section: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const caption = captionOf(section, say);
  const { labels, measures } = section;
  return scrolling(
    caption,
    html`<table class="shares">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${say('date')}</th>
          ${measures.map(({ name, color }) => html`<th scope="col" class="num">${swatch(color)}${say(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${labels.map(
          (day, index) =>
            html`<tr>
              <th scope="row">${dayText(day, language)}</th>
              ${measures.map(({ values }) => html`<td class="num">${numberText(values[index] ?? null, language, 2)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
}

function valuesTable({ title, unit, values, described }: ValuesSection, language: Language): Html {
  const say = sayIn(language);
  return html`${described === undefined ? '' : html`<p>${say(described.name)}: <b>${say(described.text)}</b></p>`}
  ${
    values.length === 0
      ? ''
      : html`<table class="shares">
          <caption>
            ${say(title)}, ${say(unit)}
          </caption>
          <thead class="hidden">
            <tr>
              <th scope="col">${say('measure')}</th>
              <th scope="col">${say('value')}</th>
            </tr>
          </thead>
          <tbody>
            ${values.map(
              ({ name, value }) =>
                html`<tr>
                  <th scope="row">${say(name)}</th>
                  <td class="num">${numberText(value, language, 1)}</td>
                </tr> `,
            )}
          </tbody>
        </table>`
  }`;
}

function bodiesTable({ title, bodies }: BodiesSection, language: Language): Html {
  const say = sayIn(language);
  const isNamed = bodies.some(({ name }) => name !== '');
  return scrolling(
    say(title),
    html`<table class="shares">
      <thead>
        <tr>
          <th scope="col">${say('bodyId')}</th>
          ${isNamed ? html`<th scope="col">${say('name')}</th>` : ''}
          <th scope="col" class="num">${say('position')}</th>
          <th scope="col" class="num">${say('area')}, ${say('inHectares')}</th>
        </tr>
      </thead>
      <tbody>
        ${bodies.map(
          ({ id, name, latitude, longitude, areaHa }) =>
            html`<tr>
              <th scope="row">${id}</th>
              ${isNamed ? html`<td>${name}</td>` : ''}
              <td class="num">${numberText(latitude, language, 4)}, ${numberText(longitude, language, 4)}</td>
              <td class="num">${numberText(areaHa, language, 2)}</td>
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
}
