import { html } from 'hono/html';
import type { HealthReport } from '../../../health/create-health.ts';
import { DEFAULT_TITLE } from '../../../layers/publication.ts';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, pager, type Pages } from '../../../pages/parts.ts';
import { publicationCards, type ShownPublication } from '../../../pages/publication-cards.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { mapOf, type PlacesAddress, type PublishedPlaces, searchForm, statesOf, totalText } from './place-parts.ts';

/** Data of the first page. */
export interface FirstPageFacts extends Shell {
  readonly prefix: string;
  readonly baseUrl: string;
  readonly lang: Language | undefined;
  readonly title: string;
  readonly version: string;
  readonly health: HealthReport;
  /** Published places; undefined if they cannot be listed now. */
  readonly places: PublishedPlaces | undefined;
  readonly placesAt: PlacesAddress;
  /** Publications, newest first, then the featured place, if any; undefined if they cannot be listed now. */
  readonly publications: readonly ShownPublication[] | undefined;
  readonly pages: Pages;
  readonly number: number;
  readonly credits: readonly string[];
  readonly computesRegions: boolean;
  readonly hasGuide: boolean;
}

/** The first page of the service. */
export function firstPage(facts: FirstPageFacts): Html {
  const { prefix, title, version, language, lang, credits, number, places, placesAt, query, account } = facts;
  const say = sayIn(language);
  const heading = title === DEFAULT_TITLE ? say('welcome') : title;
  const body = html`<h1>${heading}</h1>
    <p class="lead">${say('welcomeLead')}</p>
    ${searchForm(placesAt, { text: '', language, lang })}
    ${number === 1 && places !== undefined ? whereOf(places, { language, placesAt }) : ''} ${newsOf(facts)}
    ${waysOn(facts)} ${stateOf(facts)} ${foot(version, credits)}`;
  const named = title === DEFAULT_TITLE ? `${heading}: Headwater` : heading;
  return page({
    title: number > 1 ? say('pageNumber', { title: named, number: String(number) }) : named,
    description: say('welcomeLead'),
    prefix,
    body,
    script: true,
    language,
    query,
    account,
  });
}

function whereOf(
  published: PublishedPlaces,
  { language, placesAt }: Pick<FirstPageFacts, 'language' | 'placesAt'>,
): Html | '' {
  const { onMap, total, states } = published;
  if (total.tehsils === 0) return '';
  return html`<h2>${sayIn(language)('publishedWhere')}</h2>
    <p>${totalText(total, language)}</p>
    <div class="where">
      <div>${mapOf(onMap, published, { language, address: placesAt })}</div>
      <div>${statesOf(states, language)}</div>
    </div>`;
}

function newsOf({ publications, pages, language }: FirstPageFacts): Html {
  const say = sayIn(language);
  if (publications === undefined) {
    return html`<h2>${say('whatIsNew')}</h2>
      <p class="notice">${say('cannotList')}</p>`;
  }
  if (publications.length === 0) {
    return html`<h2>${say('whatIsNew')}</h2>
      <p class="empty">${say(pages.newer === undefined ? 'noneYet' : 'noneBefore')}</p>`;
  }
  const first = publications.filter(({ leads }) => leads !== undefined);
  const others = publications.filter(({ leads }) => leads === undefined);
  const theme = first[0]?.leads ?? '';
  return html`${first.length === 0 ? '' : newsList(say('newFirst', { theme: theme.toLowerCase() }), first, language)}
  ${others.length === 0 ? '' : newsList(say(first.length === 0 ? 'whatIsNew' : 'newOthers'), others, language)}
  ${pager(pages, [say('newestPage'), say('olderPage')], say('pages'))}`;
}

function newsList(heading: string, publications: readonly ShownPublication[], language: Language): Html {
  return html`<h2>${heading}</h2>
    ${publicationCards(publications, language, heading)}`;
}

function waysOn({ prefix, baseUrl, language, lang, computesRegions, account, hasGuide }: FirstPageFacts): Html {
  const say = sayIn(language);
  const inLang = lang === undefined ? '' : `?lang=${lang}`;
  const link = (path: string, text: string): Html => html`<li><a href="${prefix}${path}">${text}</a></li> `;
  return html`<h2 id="ways">${say('waysOn')}</h2>
    <ul class="cards ways" aria-labelledby="ways">
      <li class="card">
        <h3>${say('useData')}</h3>
        <p>${say('useDataText')}</p>
        ${copyText(baseUrl + paths.stacApi, say('addressForQgis'))}
        <ul>
          ${link(paths.catalog, say('browseCatalogue'))}
          ${computesRegions ? link(paths.regions, say('regionsLink')) : ''}
          ${account === undefined ? '' : link(paths.dashboard, say('dashboardLink'))}
        </ul>
      </li>
      <li class="card">
        <h3>${say('compute')}</h3>
        <p>${say('computeText')}</p>
        <ul>
          ${link(`${paths.computations}${inLang}`, say('allComputations'))}
        </ul>
      </li>
      <li class="card">
        <h3>${say('runService')}</h3>
        <p>${say('runServiceText')}</p>
        <ul>
          ${hasGuide ? link(paths.guide, say('guideLink')) : ''} ${link(paths.docs, say('referenceLink'))}
          ${link(paths.health, say('stateOfService'))}
        </ul>
      </li>
    </ul>`;
}

const WORDS = { failing: 'failing', warning: 'needs attention' } as const;

function stateOf({ health, language }: FirstPageFacts): Html {
  const say = sayIn(language);
  const broken = Object.entries(health.parts).flatMap(([name, { state }]) =>
    state === 'failing' || state === 'warning' ? [{ name, state }] : [],
  );
  if (broken.length === 0) return html`<p class="soft">${say('allWorks')}</p>`;
  return html`<p class="notice" id="state">${say('notAllWorks')}</p>
    <ul class="status brief" aria-labelledby="state" lang="en">
      ${broken.map(
        ({ name, state }) => html`<li><span>${name}</span><span class="${state}">${WORDS[state]}</span></li> `,
      )}
    </ul>`;
}
