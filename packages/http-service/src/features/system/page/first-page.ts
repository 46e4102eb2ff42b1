import { html } from 'hono/html';
import type { HealthReport } from '../../../health/create-health.ts';
import { AS_JSON, CONTINUED, shellWord, signInLines, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { paths } from '../../../wire/paths.ts';
import { type Account, foot, page, prefixOf, type Html } from '../../../pages/layout.ts';
import { copyText, pager, type Pages } from '../../../pages/parts.ts';
import { publicationCards, type ShownPublication } from '../../../pages/publication-cards.ts';

/** A computation that the service offers. */
export interface OfferedComputation {
  /** One sentence. */
  readonly summary: string;
  readonly path: string;
}

/** Data of the first page. */
export interface FirstPageFacts {
  readonly baseUrl: string;
  /** Title of the service's publications. */
  readonly title: string;
  readonly version: string;
  readonly health: HealthReport;
  /** Publications, newest first; undefined if they cannot be listed now. */
  readonly publications: readonly ShownPublication[] | undefined;
  readonly pages: Pages;
  /** Credits at the foot of the page. */
  readonly credits: readonly string[];
  readonly offers: readonly OfferedComputation[];
  /** True if the service computes regions, which have a page of their own. */
  readonly computesRegions: boolean;
  /** A request that starts a computation; absent if the service computes nothing. */
  /** Link of the shell to the pages of the reader; undefined if the service has none. */
  readonly account?: Account | undefined;
  readonly computation: { readonly path: string; readonly body: unknown } | undefined;
}

const WORDS = {
  ok: 'working',
  starting: 'starting',
  warning: 'needs attention',
  off: 'off',
  failing: 'failing',
} as const;

/** The page at the root: publications, links to all parts, state of the service. */
export function firstPage(facts: FirstPageFacts): Html {
  const { baseUrl, title, version, health, offers, computesRegions, credits, computation, account } = facts;
  const prefix = prefixOf(baseUrl);
  const body = html`<h1>${title}</h1>
    <p class="lead">
      Map layers, computed per tehsil and published as STAC Items. Open a layer to see its map, read its legend and
      download it.
    </p>
    ${published(facts, prefix)}
    <h2>Find your way</h2>
    <ul class="cards">
      ${card(prefix + paths.catalog, 'Catalogue', 'Everything published, by state, district and tehsil.')}
      ${computesRegions ? card(prefix + paths.regions, 'Regions', 'Boxes that callers of the work service computed; they belong to no tehsil.') : ''}
      ${account === undefined ? '' : card(prefix + paths.dashboard, 'Dashboard', 'Your API keys and your runs.')}
      ${card(prefix + paths.stacApi, 'STAC API', 'Searches the catalogue. Use this address in QGIS, STAC Browser or pystac-client.')}
      ${card(prefix + paths.docs, 'API reference', 'Every operation, its parameters and responses.')}
      ${card(prefix + paths.openApi, 'OpenAPI document', 'The same reference for programs, version 3.1.')}
      ${card(prefix + paths.health, 'Health', 'Version and the state of each part, as JSON.')}
    </ul>
    ${offers.length === 0 ? '' : whatIsComputed(offers)}
    ${computation === undefined ? '' : howToStart(baseUrl, computation)}
    <h2 id="state">State of the service</h2>
    <ul class="status brief" aria-labelledby="state">
      ${Object.entries(health.parts).map(
        ([name, part]) => html`<li><span>${name}</span><span class="${part.state}">${WORDS[part.state]}</span></li> `,
      )}
    </ul>
    ${foot(version, credits)}`;
  const description = offers[0]?.summary ?? 'Layers of maps, published as STAC Items.';
  return page({ title, description, prefix, body, script: true, account });
}

function published({ publications, pages }: FirstPageFacts, prefix: string): Html {
  if (publications === undefined) {
    return html`<h2>Published layers</h2>
      <p class="notice">The published layers cannot be listed now. Try again in a minute.</p>`;
  }
  if (publications.length === 0) {
    return html`<h2>Published layers</h2>
      <p class="empty">
        Nothing is published ${pages.newer === undefined ? 'yet' : 'before this'}. See the
        <a href="${prefix}${paths.catalog}">catalogue</a> for everything that is published.
      </p>`;
  }
  return html`<h2 id="layers">Published layers, newest first</h2>
    ${publicationCards(publications)} ${pager(pages, ['Newest', 'Older'])}`;
}

function whatIsComputed(offers: readonly OfferedComputation[]): Html {
  return html`<h2>Computations of this service</h2>
    <ul class="plain">
      ${offers.map(({ summary, path }) => html`<li>${summary} <code>POST ${path}</code></li> `)}
    </ul>`;
}

/** Two shell commands: sign in, and start a computation. */
function howToStart(baseUrl: string, { path, body }: NonNullable<FirstPageFacts['computation']>): Html {
  const parts = [
    `curl -sw '\\n' ${shellWord(baseUrl + path)}`,
    `${WITH_TOKEN} ${AS_JSON}`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return html`<h2>Start a computation</h2>
    <p>Sign in, which stores the token in <code>TOKEN</code>, then send the request with it.</p>
    ${copyText(signInLines(baseUrl), 'the commands that sign in')}
    ${copyText(parts.join(CONTINUED), 'the command that starts a computation')}`;
}

function card(href: string, title: string, text: string): Html {
  return html`<li class="card">
    <a href="${href}">${title}</a>
    <p>${text}</p>
  </li> `;
}
