import { html } from 'hono/html';
import type { HealthReport } from '../health.ts';
import { paths } from '../wire/paths.ts';
import { foot, page, prefixOf, type Html } from './layout.ts';

/** A published Item as the first page shows it. */
export interface ShownLayer {
  readonly title: string;
  /** Address of the Item. */
  readonly href: string;
  /** Address of its preview. */
  readonly thumbnail: string;
}

/** What the first page tells. */
export interface FirstPageFacts {
  readonly baseUrl: string;
  /** Title of what is published here. */
  readonly title: string;
  readonly version: string;
  readonly health: HealthReport;
  /** Some of what is published, with previews. */
  readonly layers: readonly ShownLayer[];
  /** For the foot of the page. */
  readonly credits: readonly string[];
  /** A request that starts a computation; absent where nothing is computed. */
  readonly computation: { readonly path: string; readonly body: unknown } | undefined;
}

const DESCRIPTION = 'Headwater computes geospatial layers per tehsil and serves every result as a STAC Item.';
const WORDS = { ok: 'working', starting: 'starting', warning: 'needs a look', off: 'off', failing: 'failing' } as const;

/** The page at the root: what this is, where to go, whether it works. */
export function firstPage(facts: FirstPageFacts): Html {
  const { baseUrl, title, version, health, layers, credits, computation } = facts;
  const prefix = prefixOf(baseUrl);
  const body = html` <h1>Land cover for every tehsil, as data you can fetch</h1>
    <p class="lead">
      This service computes geospatial layers, first of all yearly land use and land cover, for a tehsil and its
      micro-watersheds. Each result is published as a STAC Item whose links lead to the files themselves.
    </p>
    <ul class="cards">
      ${card(prefix + paths.docs, 'API reference', 'Every operation, its parameters and its answers.')}
      ${card(prefix + paths.catalog, 'Catalogue', 'Published layers as STAC: state, district, tehsil, Item.')}
      ${card(prefix + paths.openApi, 'OpenAPI document', 'The same reference for machines, version 3.1.')}
      ${card(prefix + paths.health, 'Health', 'Version and the state of each part, as JSON.')}
    </ul>
    ${layers.length === 0 ? '' : gallery(layers, { baseUrl, prefix })}
    <h2 id="state">State of the service</h2>
    <ul class="status" aria-labelledby="state">
      ${Object.entries(health.parts).map(
        ([name, part]) => html`<li><span>${name}</span><span class="${part.state}">${WORDS[part.state]}</span></li> `,
      )}
    </ul>
    ${computation === undefined ? '' : howToStart(baseUrl, computation)} ${foot(version, credits)}`;
  return page({ title, description: DESCRIPTION, prefix, body });
}

/** Two lines for a shell: sign in, and start a computation. */
function howToStart(baseUrl: string, { path, body }: NonNullable<FirstPageFacts['computation']>): Html {
  return html`<h2>Start a computation</h2>
    <p>Sign in, then send the request with the token that came back.</p>
    <div class="scroll">
      <pre><code>curl -s ${baseUrl}${paths.login} \\
  -H 'Content-Type: application/json' -d '{"username":"NAME","password":"PASSWORD"}'

curl -s ${baseUrl}${path} \\
  -H 'Authorization: Bearer ACCESS' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'</code></pre>
    </div>`;
}

/** Previews as links to their Items. Addresses are made relative to this page, so that its policy ('self') holds behind a proxy. */
function gallery(layers: readonly ShownLayer[], { baseUrl, prefix }: { baseUrl: string; prefix: string }): Html {
  const here = (href: string): string => href.replace(baseUrl, prefix);
  return html`<h2 id="layers">Published layers</h2>
    <ul class="layers" aria-labelledby="layers">
      ${layers.map(
        ({ title, href, thumbnail }) =>
          html`<li class="card">
            <a href="${here(href)}"
              ><img src="${here(thumbnail)}" alt="" loading="lazy" width="200" height="160" /><span>${title}</span></a
            >
          </li> `,
      )}
    </ul>`;
}

function card(href: string, title: string, text: string): Html {
  return html`<li class="card">
    <a href="${href}">${title}</a>
    <p>${text}</p>
  </li> `;
}
