import { html } from 'hono/html';
import type { HealthReport } from '../../../health/create-health.ts';
import { shellWord } from '../../../pages/shell-word.ts';
import { paths } from '../../../wire/paths.ts';
import { foot, page, prefixOf, type Html } from '../../../pages/layout.ts';
import { copyText, pager, type Pages } from '../../../pages/parts.ts';
import { publicationCards, type ShownPublication } from '../../../pages/publication-cards.ts';

/** Something that can be computed. */
export interface Offer {
  /** One sentence. */
  readonly summary: string;
  readonly path: string;
}

/** What the first page tells. */
export interface FirstPageFacts {
  readonly baseUrl: string;
  /** Title of what is published here. */
  readonly title: string;
  readonly version: string;
  readonly health: HealthReport;
  /** What is published, newest first; undefined where it cannot be listed now. */
  readonly publications: readonly ShownPublication[] | undefined;
  readonly pages: Pages;
  /** For the foot of the page. */
  readonly credits: readonly string[];
  readonly offers: readonly Offer[];
  /** A request that starts a computation; absent where nothing is computed. */
  readonly computation: { readonly path: string; readonly body: unknown } | undefined;
}

const WORDS = { ok: 'working', starting: 'starting', warning: 'needs a look', off: 'off', failing: 'failing' } as const;

/** The page at the root: what is published, where to go, whether it works. */
export function firstPage(facts: FirstPageFacts): Html {
  const { baseUrl, title, version, health, offers, credits, computation } = facts;
  const prefix = prefixOf(baseUrl);
  const body = html`<h1>${title}</h1>
    <p class="lead">
      Layers of maps, computed per tehsil and published as STAC Items: open one to see it, read its legend and download
      it.
    </p>
    ${published(facts, prefix)}
    <h2>Find your way</h2>
    <ul class="cards">
      ${card(prefix + paths.catalog, 'Catalogue', 'Everything published, by state, district and tehsil.')}
      ${card(prefix + paths.stacApi, 'STAC API', 'The catalogue to be searched: give this address to QGIS, STAC Browser or pystac-client.')}
      ${card(prefix + paths.docs, 'API reference', 'Every operation, its parameters and its answers.')}
      ${card(prefix + paths.openApi, 'OpenAPI document', 'The same reference for machines, version 3.1.')}
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
  return page({ title, description, prefix, body, script: true });
}

function published({ publications, pages }: FirstPageFacts, prefix: string): Html {
  if (publications === undefined) {
    return html`<h2>Published layers</h2>
      <p class="notice">What is published could not be listed just now; try again in a moment.</p>`;
  }
  if (publications.length === 0) {
    return html`<h2>Published layers</h2>
      <p class="empty">
        Nothing is published ${pages.newer === undefined ? 'yet' : 'before this'}. The
        <a href="${prefix}${paths.catalog}">catalogue</a> lists whatever is.
      </p>`;
  }
  return html`<h2 id="layers">Published layers, newest first</h2>
    ${publicationCards(publications)} ${pager(pages, ['Newest', 'Older'])}`;
}

function whatIsComputed(offers: readonly Offer[]): Html {
  return html`<h2>What is computed here</h2>
    <ul class="plain">
      ${offers.map(({ summary, path }) => html`<li>${summary} <code>POST ${path}</code></li> `)}
    </ul>`;
}

/** Two lines for a shell: sign in, and start a computation. */
function howToStart(baseUrl: string, { path, body }: NonNullable<FirstPageFacts['computation']>): Html {
  const signIn = `curl -sw '\\n' ${shellWord(baseUrl + paths.login)} \\
  -H 'Content-Type: application/json' -d '{"username":"NAME","password":"PASSWORD"}'`;
  const start = `curl -sw '\\n' ${shellWord(baseUrl + path)} \\
  -H 'Authorization: Bearer ACCESS' -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(body))}`;
  return html`<h2>Start a computation</h2>
    <p>Sign in, then send the request with the token <code>access</code> that came back.</p>
    ${copyText(signIn, 'the command that signs in')} ${copyText(start, 'the command that starts a computation')}`;
}

function card(href: string, title: string, text: string): Html {
  return html`<li class="card">
    <a href="${href}">${title}</a>
    <p>${text}</p>
  </li> `;
}
