import { html } from 'hono/html';
import type { Language } from '../../../wire/words.ts';
import { paths } from '../../../wire/paths.ts';
import type { Html } from '../../../pages/layout.ts';
import { type Crumb, facts } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { choropleth, columnChoice, type ColumnLink, type MapFigures } from './choropleth.ts';
import { numberText } from './section-tables.ts';
import { type DrawnOutlines, mapPart } from './outline-map.ts';
import { isNothing, type PublishedLists, publishedLists } from './published-lists.ts';
import { crumbsAbove, linkList, originsText, reportPage } from './report-page.ts';
import type { ReportFacts } from './sections.ts';

/** Data of the report of a tehsil. */
export interface TehsilReportFacts extends ReportFacts {
  readonly language: Language;
  /** Map of the outlines; undefined if there are none, or if they cannot be drawn to scale. */
  readonly map: DrawnOutlines | undefined;
  readonly columns: readonly ColumnLink[];
  /** Figures that colour the map. If undefined, the map has only outlines. */
  readonly figures: MapFigures | undefined;
  readonly resources: string;
  readonly published: PublishedLists;
  readonly mws: readonly Crumb[];
}

/** Report page of a tehsil, with links to the reports of its micro-watersheds. */
export function tehsilReportPage(shown: TehsilReportFacts): Html {
  const {
    language,
    mws,
    origins,
    place: { tehsil },
    published,
    resources,
    sections,
  } = shown;
  const say = sayIn(language);
  return reportPage(shown, {
    language,
    title: say('tehsilTitle', { tehsil }),
    above: crumbsAbove(shown, { title: say('catalogue'), href: paths.catalog }),
    lead: sections.length === 0 ? '' : `${say('totals')} ${originsText(origins, language)}`,
    isEmpty: sections.length === 0 && isNothing(published),
    opening: html`${facts([[say('mwsCount'), numberText(mws.length, language, 0)]])} ${mapOf(shown)}`,
    closing: html`<p><a href="${resources}">${say('resourceTitle', { tehsil })}</a></p>
      ${publishedLists(published, language)}
      <h2>${say('allMws')}</h2>
      ${mws.length === 0 ? html`<p class="empty">${say('noMws')}</p>` : linkList(mws)}`,
  });
}

function mapOf({ map, figures, columns, mws, language, place: { tehsil } }: TehsilReportFacts): Html | '' {
  if (map === undefined) return '';
  const say = sayIn(language);
  const choice = columnChoice(columns, figures?.column, language);
  if (figures !== undefined)
    return html`<h2>${say('map')}</h2>
      ${choropleth({ map, tehsil, figures, mws, choice }, language)}`;
  const words = { label: say('tehsilMapOf', { tehsil }), caption: say('tehsilMapCaption', { tehsil }), language };
  return html`${mapPart(map, words)} ${choice}`;
}
