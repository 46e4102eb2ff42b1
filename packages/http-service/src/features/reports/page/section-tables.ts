import { html } from 'hono/html';
import { swatch } from '../../../pages/chart.ts';
import type { Html } from '../../../pages/layout.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import { dayText } from '../../../pages/words.ts';
import { byLanguage, type Language } from '../../../wire/words.ts';
import type { BodiesSection, SeriesSection, ShownMeasure, ValuesSection } from './sections.ts';

/** Formats a number with at most `decimals` decimals; '' for null (unknown). */
export function numberText(value: number | null, language: Language, decimals: number): string {
  return value === null ? '' : formatsIn(language)(decimals).format(value);
}

type Formats = (decimals: number) => Intl.NumberFormat;

/** Number formats of a language. They are cached, because creating a format takes longer than a hundred uses. */
function formats(locale: string): Formats {
  const cached = new Map<number, Intl.NumberFormat>();
  return (decimals) => {
    const format = cached.get(decimals) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
    cached.set(decimals, format);
    return format;
  };
}

const formatsIn = byLanguage(({ numbers }) => formats(numbers));

/** Table of a series. Years are columns. Days are rows, because a series has many days. */
export function seriesTable(section: SeriesSection, language: Language): Html {
  return section.axis === 'year' ? yearsTable(section, language) : daysTable(section, language);
}

function unitTexts(
  { title, measures }: Pick<SeriesSection, 'title' | 'measures'>,
  say: Say,
): { readonly caption: string; readonly nameOf: (measure: ShownMeasure) => string } {
  const withUnit = (text: string, unit: ShownMeasure['unit']): string =>
    unit === undefined ? text : `${text}, ${say(unit)}`;
  const [unit, ...others] = new Set(measures.map((measure) => measure.unit));
  return others.length === 0
    ? { caption: withUnit(say(title), unit), nameOf: ({ name }) => say(name) }
    : { caption: say(title), nameOf: ({ name, unit: own }) => withUnit(say(name), own) };
}

/** Puts a table in an element that scrolls on a narrow page. */
export function scrolling(label: string, table: Html): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

function yearsTable(section: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const { caption, nameOf } = unitTexts(section, say);
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
          (each) =>
            html`<tr>
              <th scope="row">${swatch(each.color)}${nameOf(each)}</th>
              ${each.values.map((value) => html`<td class="num">${numberText(value, language, each.color === undefined ? 2 : 1)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
}

function daysTable(section: SeriesSection, language: Language): Html {
  const say = sayIn(language);
  const { caption, nameOf } = unitTexts(section, say);
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
          ${measures.map((each) => html`<th scope="col" class="num">${swatch(each.color)}${nameOf(each)}</th>`)}
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

/** Table with one measure per row. */
export function valuesTable({ title, unit, values, described }: ValuesSection, language: Language): Html {
  const say = sayIn(language);
  return html`${
    described === undefined
      ? ''
      : html`<p>${say(described.name)}: <b>${'words' in described ? described.words : say(described.text)}</b></p>`
  }
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

/** Table of water bodies. It has a column of names if any name is known. */
export function bodiesTable({ title, bodies }: BodiesSection, language: Language): Html {
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
