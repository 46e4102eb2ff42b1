import { html } from 'hono/html';
import type { Language } from '../../../wire/words.ts';
import { paths } from '../../../wire/paths.ts';
import type { Html } from '../../../pages/layout.ts';
import { type Crumb, facts } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { numberText } from './section-tables.ts';
import { type DrawnOutlines, mapPart } from './outline-map.ts';
import { crumbsAbove, linkList, originsText, reportPage } from './report-page.ts';
import type { ReportFacts } from './sections.ts';

/** Data of the report of a micro-watershed. */
export interface MwsReportFacts extends ReportFacts {
  readonly language: Language;
  readonly uid: string;
  /** Area, computed on a sphere, ha. */
  readonly areaHa: number;
  /** Map of the micro-watershed and the outlines around it; undefined if they cannot be drawn to scale. */
  readonly map: DrawnOutlines | undefined;
  readonly neighbours: readonly Crumb[];
  readonly tehsilReport: string;
}

/** Report page of a micro-watershed: its map, tables and series. */
export function mwsReportPage(shown: MwsReportFacts): Html {
  const { language, uid, areaHa, map, neighbours, place, tehsilReport, sections } = shown;
  const say = sayIn(language);
  const report = { title: say('tehsilTitle', { tehsil: place.tehsil }), href: tehsilReport };
  return reportPage(shown, {
    language,
    title: say('mwsTitle', { uid }),
    above: [...crumbsAbove(shown, { title: say('catalogue'), href: paths.catalog }), report],
    lead: originsText(shown.origins, language),
    isEmpty: sections.length === 0,
    opening: html`${facts([[say('area'), `${numberText(areaHa, language, 1)} ${say('ha')}`]])}
    ${mapPart(map, { label: say('mapOf', { uid }), caption: say('mapCaption', { uid }), language })}`,
    closing:
      neighbours.length === 0
        ? html``
        : html`<h2>${say('neighbours')}</h2>
            ${linkList(neighbours)}`,
  });
}
