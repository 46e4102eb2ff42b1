import { html } from 'hono/html';
import type { Language } from '../../wire/languages.ts';
import { paths } from '../../wire/paths.ts';
import type { Html } from '../layout.ts';
import { type Crumb, facts } from '../parts.ts';
import { sayIn } from '../texts.ts';
import { numberText } from './numbers.ts';
import { crumbsAbove, linkList, reportPage } from './report-page.ts';
import type { ReportFacts } from './sections.ts';

/** What the report of a tehsil tells. */
export interface TehsilReportFacts extends ReportFacts {
  readonly language: Language;
  /** Reports of its micro-watersheds, by uid. */
  readonly mws: readonly Crumb[];
}

/** A tehsil for people to read and print: the totals of its micro-watersheds, and links to their reports. */
export function tehsilReportPage(shown: TehsilReportFacts): Html {
  const { language, mws, place, sections } = shown;
  const say = sayIn(language);
  return reportPage(shown, {
    language,
    title: say('tehsilTitle', { tehsil: place.tehsil }),
    above: crumbsAbove(shown, { title: say('catalogue'), href: paths.catalog }),
    lead: sections.length === 0 ? '' : [say('totals'), ...(shown.isSynthetic ? [say('aboutSynthetic')] : [])].join(' '),
    opening: facts([[say('mwsCount'), numberText(mws.length, language, 0)]]),
    closing: html`<h2>${say('allMws')}</h2>
      ${mws.length === 0 ? html`<p class="empty">${say('noMws')}</p>` : linkList(mws)}`,
  });
}
