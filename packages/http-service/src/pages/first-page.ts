import { html } from 'hono/html';
import type { HealthReport } from '../schemas/system.ts';
import { page, prefixOf, type Html } from './layout.ts';

/** What the first page tells. */
export interface FirstPageFacts {
  readonly baseUrl: string;
  readonly version: string;
  readonly health: HealthReport;
}

const DESCRIPTION = 'Headwater computes geospatial layers per tehsil and serves every result as a STAC Item.';
const WORDS = { ok: 'working', off: 'off', failing: 'failing' } as const;

/** The page at the root: what this is, where to go, whether it works. */
export function firstPage({ baseUrl, version, health }: FirstPageFacts): Html {
  const prefix = prefixOf(baseUrl);
  const body = html` <h1>Land cover for every tehsil, as data you can fetch</h1>
    <p class="lead">
      This service computes geospatial layers, first of all yearly land use and land cover, for a tehsil and its
      micro-watersheds. Each result is published as a STAC Item whose links lead to the files themselves.
    </p>
    <ul class="cards">
      ${card(`${prefix}/docs/`, 'API reference', 'Every operation, its parameters and its answers.')}
      ${card(`${prefix}/api/v1/stac/`, 'Catalogue', 'Published layers as STAC: state, district, tehsil, Item.')}
      ${card(`${prefix}/api/v1/openapi.json`, 'OpenAPI document', 'The same reference for machines, version 3.1.')}
      ${card(`${prefix}/api/health`, 'Health', 'Version and the state of each part, as JSON.')}
    </ul>
    <h2 id="state">State of the service</h2>
    <ul class="status" aria-labelledby="state">
      ${Object.entries(health.parts).map(
        ([name, part]) =>
          html`<li>
            <span>${name}</span><span class="${part.state}">${WORDS[part.state]}</span
            ><span class="detail">${part.detail}</span>
          </li> `,
      )}
    </ul>
    <h2>Start a computation</h2>
    <p>Sign in, then send the request with the token that came back.</p>
    <div class="scroll">
      <pre><code>curl -s ${baseUrl}/api/v1/auth/login/ \\
  -H 'Content-Type: application/json' -d '{"username":"NAME","password":"PASSWORD"}'

curl -s ${baseUrl}/api/v1/lulc_for_tehsil/ \\
  -H 'Authorization: Bearer ACCESS' -H 'Content-Type: application/json' \\
  -d '{"state":"STATE","district":"DISTRICT","block":"TEHSIL","start_year":2021,"end_year":2023,"eo_account_id":1}'</code></pre>
    </div>
    <p class="foot">Headwater ${version}</p>`;
  return page({ title: 'Headwater', description: DESCRIPTION, prefix, body });
}

function card(href: string, title: string, text: string): Html {
  return html`<li class="card">
    <a href="${href}">${title}</a>
    <p>${text}</p>
  </li> `;
}
