import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { crumbsAbove, originsText, reportPage } from './report-page.ts';
import type { ReportFacts } from './sections.ts';

/** Data of the report about a tehsil's resources. */
export interface ResourceReportFacts extends ReportFacts {
  readonly language: Language;
  /**
   * Name or id of the plan in the address of the request; '' if there is none. Only the live system has plans; the page
   * states that this service has none.
   */
  readonly plan: string;
  readonly tehsilReport: string;
}

/** Report page of the resources of a tehsil. */
export function resourceReportPage(shown: ResourceReportFacts): Html {
  const { language, origins, place, plan, sections, tehsilReport } = shown;
  const say = sayIn(language);
  const { tehsil } = place;
  return reportPage(shown, {
    language,
    title: say('resourceTitle', { tehsil }),
    above: [
      ...crumbsAbove(shown, { title: say('catalogue'), href: paths.catalog }),
      { title: say('tehsilTitle', { tehsil }), href: tehsilReport },
    ],
    lead: `${say('resourceLead')} ${sections.length === 0 ? '' : `${say('totals')} ${originsText(origins, language)}`}`,
    isEmpty: sections.length === 0,
    opening: plan === '' ? html`` : html`<p>${say('noPlans', { plan })}</p>`,
    closing: html``,
  });
}
