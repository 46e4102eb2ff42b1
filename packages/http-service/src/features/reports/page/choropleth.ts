import { html } from 'hono/html';
import { swatch } from '../../../pages/chart.ts';
import type { Html } from '../../../pages/layout.ts';
import { classesOf, classOf, type NumberClass } from '../../../pages/number-classes.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';
import type { MapColumn } from '../schemas/report-columns.ts';
import { type DrawnOutlines, outlineMap } from './outline-map.ts';
import { numberText, scrolling } from './section-tables.ts';

const DECIMALS = 2;

/** A column with the address of the report that shows it. */
export interface ColumnLink extends MapColumn {
  readonly href: string;
}

/** Figures of the micro-watersheds in one column. */
export interface MapFigures {
  readonly column: MapColumn;
  readonly values: ReadonlyMap<string, number>;
  /** Address of the report without figures on its map. */
  readonly plain: string;
}

interface Choropleth {
  readonly map: DrawnOutlines;
  readonly tehsil: string;
  readonly figures: MapFigures;
  readonly mws: readonly { readonly title: string; readonly href: string }[];
  readonly choice: Html | '';
}

function columnTitle({ section, name, year, unit }: MapColumn, say: Say): string {
  const measure = year === '' ? say(name) : `${say(name)} ${year}`;
  return `${say(section)}: ${unit === undefined ? measure : `${measure}, ${say(unit)}`}`;
}

/** Map of the micro-watersheds coloured by a column. A legend and a table follow. */
export function choropleth({ map, tehsil, figures, mws, choice }: Choropleth, language: Language): Html {
  const say = sayIn(language);
  const { column, values } = figures;
  const title = columnTitle(column, say);
  const classes = classesOf([...values.values()]);
  const fills = new Map(Array.from(values, ([uid, value]) => [uid, classOf(classes, value)?.color ?? '']));
  const drawing = outlineMap(
    { ...map, near: map.near.map((each) => ({ ...each, fill: fills.get(each.uid) })) },
    { label: say('figuresMapOf', { tehsil, title }), language },
  );
  return html`<figure id="map" class="figures">
      ${drawing}
      <div>
        <p class="name">${title}</p>
        ${legendOf(classes, { values, all: mws.length, language })}
        <p class="soft">${say('classBreaks')}</p>
        <p class="screen"><a href="${figures.plain}">${say('withoutFigures')}</a></p>
      </div>
    </figure>
    ${choice}
    <details open>
      <summary><span class="name">${say('figuresTable')}</span></summary>
      <div class="inside">${figuresTable({ title, classes, values, mws }, language)}</div>
    </details>`;
}

interface Counted {
  readonly values: MapFigures['values'];
  readonly all: number;
  readonly language: Language;
}

function legendOf(classes: readonly NumberClass[], { values, all, language }: Counted): Html {
  const say = sayIn(language);
  const numbers = [...values.values()];
  const line = (color: string | undefined, name: string, count: number): Html =>
    html`<li>${swatch(color)}${name}: ${say('mwsNumber', { count: numberText(count, language, 0) })}</li> `;
  return html`<ul class="breaks">
    ${classes.map((each) =>
      line(each.color, rangeText(each, language), numbers.filter((value) => classOf(classes, value) === each).length),
    )}
    ${all > numbers.length ? line(undefined, say('noValue'), all - numbers.length) : ''}
  </ul>`;
}

function rangeText({ from, to }: NumberClass, language: Language): string {
  return `${numberText(from, language, DECIMALS)} – ${numberText(to, language, DECIMALS)}`;
}

interface TableParts extends Pick<Choropleth, 'mws'> {
  readonly title: string;
  readonly classes: readonly NumberClass[];
  readonly values: MapFigures['values'];
}

function figuresTable({ title, classes, values, mws }: TableParts, language: Language): Html {
  const say = sayIn(language);
  const valueOf = (uid: string): number => values.get(uid) ?? -Infinity;
  // Equal values are not subtracted, because `-Infinity - -Infinity` is NaN.
  const sorted = mws.toSorted((a, b) =>
    valueOf(a.title) === valueOf(b.title) ? 0 : valueOf(b.title) - valueOf(a.title),
  );
  return scrolling(
    title,
    html`<table class="shares">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${say('mwsName')}</th>
          <th scope="col" class="num">${say('value')}</th>
          <th scope="col" class="num">${say('classRange')}</th>
        </tr>
      </thead>
      <tbody>
        ${sorted.map(({ title: uid, href }) => {
          const value = values.get(uid);
          const own = classOf(classes, value);
          return html`<tr>
            <th scope="row">${swatch(own?.color)}<a href="${href}">${uid}</a></th>
            <td class="num">${value === undefined ? say('noValue') : numberText(value, language, DECIMALS)}</td>
            <td class="num">${own === undefined ? '' : rangeText(own, language)}</td>
          </tr> `;
        })}
      </tbody>
    </table>`,
  );
}

/** Links that colour the map by a column, grouped by section and measure; '' if there are no links. */
export function columnChoice(
  links: readonly ColumnLink[],
  chosen: MapColumn | undefined,
  language: Language,
): Html | '' {
  const say = sayIn(language);
  if (links.length === 0) return '';
  const isChosen = ({ sheet, column }: MapColumn): boolean => sheet === chosen?.sheet && column === chosen.column;
  const linkOf = (link: ColumnLink): Html =>
    html`<a href="${link.href}" ${isChosen(link) ? html` aria-current="true"` : ''}
      >${link.year === '' ? say(link.name) : html`<span class="hidden">${say(link.name)} </span>${link.year}`}</a
    > `;
  const measures = (own: readonly ColumnLink[]): Html =>
    html`${[...Map.groupBy(own, ({ name }) => name)].map(
      ([name, all]) =>
        html`<li>
          ${all.some(({ year }) => year !== '') ? html`<span>${say(name)}: </span>` : ''}${all.map(linkOf)}
        </li> `,
    )}`;
  const sections = [...Map.groupBy(links, ({ section }) => section)];
  return html`<div class="choices screen">
    <p class="name">${say('colourMapBy')}</p>
    ${sections.map(
      ([section, own]) =>
        html`<details>
          <summary><span class="name">${say(section)}</span></summary>
          <ul class="inside">
            ${measures(own)}
          </ul>
        </details>`,
    )}
  </div>`;
}
