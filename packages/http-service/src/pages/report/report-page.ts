import { html } from 'hono/html';
import type { Language } from '../../wire/languages.ts';
import { foot, page, type Html } from '../layout.ts';
import { type Crumb, crumbs, facts } from '../parts.ts';
import { sayIn } from '../texts.ts';
import { sectionOf } from './section-parts.ts';
import type { ReportFacts } from './sections.ts';

/** Parts in which reports differ. */
export interface ReportBody {
  readonly language: Language;
  readonly title: string;
  readonly above: readonly Crumb[];
  /** Beneath the heading. */
  readonly lead: string;
  /** Before the sections. */
  readonly opening: Html;
  /** Behind the sections. */
  readonly closing: Html;
}

/** A report around its figures. */
export function reportPage(shown: ReportFacts, body: ReportBody): Html {
  const { prefix, place, other, sections, credits, license, version } = shown;
  const { language, title, above, lead, opening, closing } = body;
  const say = sayIn(language);
  const otherLanguage = language === 'hi' ? 'en' : 'hi';
  const where = say('placeLine', place);
  return page({
    title,
    description: `${title}. ${where}`,
    prefix,
    language,
    body: html`<div class="report">
      ${crumbs(above, title, say('breadcrumb'))}
      <h1>${title}</h1>
      <p class="lead">${where}</p>
      <p>
        ${lead}
        <a class="screen" href="${other}" hreflang="${otherLanguage}" lang="${otherLanguage}"
          >${say('otherLanguage')}</a
        >
      </p>
      ${opening} ${sections.length === 0 ? html`<p class="empty">${say('nothing')}</p>` : ''}
      ${sections.map((section) => sectionOf(section, language))} ${closing}
      <h2>${say('creditsAndLicence')}</h2>
      ${facts([
        ...credits.map((credit) => [say('credits'), html`<span lang="en">${credit}</span>`] as const),
        [say('licence'), html`<a href="${license.href}" rel="license" lang="en">${license.title}</a>`],
      ])}
      ${foot(version, [])}
    </div>`,
  });
}

/** Links in columns. */
export function linkList(links: readonly Crumb[]): Html {
  return html`<ul class="places">
    ${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
  </ul>`;
}

/** The catalogue and the tehsil's page in it, where there is one. */
export function crumbsAbove({ prefix, collection, place }: ReportFacts, catalogue: Crumb): readonly Crumb[] {
  const top = { ...catalogue, href: prefix + catalogue.href };
  return collection === undefined ? [top] : [top, { title: place.tehsil, href: collection }];
}
