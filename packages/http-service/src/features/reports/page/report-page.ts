import { html } from 'hono/html';
import type { Language } from '../../../wire/words.ts';
import { foot, page, type Html } from '../../../pages/layout.ts';
import { type Crumb, crumbs, facts } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { sectionOf } from './section-parts.ts';
import type { ReportFacts, ShownLicence, ShownOrigins } from './sections.ts';

/** Parts of a report that depend on its kind. */
export interface ReportBody {
  readonly language: Language;
  readonly title: string;
  readonly above: readonly Crumb[];
  readonly lead: string;
  readonly opening: Html;
  readonly closing: Html;
  readonly isEmpty: boolean;
}

/** Page of a report. */
export function reportPage(shown: ReportFacts, body: ReportBody): Html {
  const { prefix, place, routes, sections, version, query, chosen, account } = shown;
  const { language, title, above, lead, opening, closing, isEmpty } = body;
  const say = sayIn(language);
  const where = say('placeLine', place);
  return page({
    title: `${title}: ${where}`,
    description: `${title}. ${where}`,
    prefix,
    language,
    query,
    chosen,
    account,
    body: html`<div class="report">
      ${crumbs(above, title, say('breadcrumb'))}
      <h1>${title}</h1>
      <p class="lead">${where}</p>
      <p>${lead}</p>
      ${opening}
      ${isEmpty ? html`<p class="empty">${say('nothing')} ${routes === '' ? '' : say('computedBy', { routes })}</p>` : ''}
      ${sections.map((section) => sectionOf(section, language))} ${closing} ${creditsPart(shown, language)}
      ${foot(version, [])}
    </div>`,
  });
}

function creditsPart({ credits, licences, origins }: ReportFacts, language: Language): Html {
  const say = sayIn(language);
  const entries = [
    ...credits.map((credit) => [say('credits'), html`<span lang="en">${credit}</span>`] as const),
    ...licences.map((licence) => [say('licence'), licenceOf(licence)] as const),
    ...(origins.isImported ? [[say('licence'), say('licenceUnknown')] as const] : []),
  ];
  if (entries.length === 0) return html``;
  return html`<h2>${say('creditsAndLicence')}</h2>
    ${facts(entries)}`;
}

function licenceOf({ title, href }: ShownLicence): Html {
  return href === undefined
    ? html`<span lang="en">${title}</span>`
    : html`<a href="${href}" rel="license" lang="en">${title}</a>`;
}

/** Sentences about the origins of a report's figures; '' without figures. */
export function originsText({ isComputed, isSynthetic, isImported }: ShownOrigins, language: Language): string {
  const say = sayIn(language);
  if (!isComputed) return isImported ? say('aboutImported') : '';
  const computed = say(isSynthetic ? 'aboutSynthetic' : 'about');
  return isImported ? `${computed} ${say('aboutAlsoImported')}` : computed;
}

/** List of links in columns. */
export function linkList(links: readonly Crumb[]): Html {
  return html`<ul class="places">
    ${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
  </ul>`;
}

/** Breadcrumbs: the catalogue, and the tehsil's catalogue page, if it exists. */
export function crumbsAbove({ prefix, collection, place }: ReportFacts, catalogue: Crumb): readonly Crumb[] {
  const top = { ...catalogue, href: prefix + catalogue.href };
  return collection === undefined ? [top] : [top, { title: place.tehsil, href: collection }];
}
