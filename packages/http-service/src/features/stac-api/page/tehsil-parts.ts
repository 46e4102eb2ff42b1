import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import type { Say } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';

/** Links of a tehsil's page. */
export interface TehsilLinks {
  readonly report: string;
  /** Undefined if the tehsil has no tables. */
  readonly workbook: string | undefined;
  /** Undefined if the tehsil has no tables. */
  readonly tables: string | undefined;
  readonly tableCount: number;
  /** Computations of this service that have published nothing for this tehsil. */
  readonly missing: readonly (Crumb & { readonly lang: Language })[];
  readonly form: string | undefined;
}

/** Links to the report, tables, workbook and layers of a tehsil. */
export function tehsilWays({ report, workbook, tables, tableCount }: TehsilLinks, say: Say): Html {
  return html`<ul class="buttons" aria-label="${say('thisTehsil')}">
    <li><a class="button" href="${report}">${say('report')}</a></li>
    ${
      tables === undefined
        ? ''
        : html`<li>
            <a class="button" href="${tables}">${say('tables')} <small>${tableCount}</small></a>
          </li>`
    }
    ${
      workbook === undefined
        ? ''
        : html`<li>
            <a class="button" href="${workbook}">${say('workbook')} <small>xlsx</small></a>
          </li>`
    }
    <li><a class="button plainer" href="#layers">${say('layers')}</a></li>
  </ul>`;
}

/** List of the computations that are missing at a tehsil; '' if there are none. */
export function missingHere({ missing, form }: TehsilLinks, say: Say): Html | '' {
  if (missing.length === 0) return '';
  return html`<h2 id="missing">${say('missingLayers')}</h2>
    <p>${say('missingLayersText')}</p>
    ${form === undefined ? '' : html`<p><a class="button" href="${form}">${say('chooseAndStart')}</a></p>`}
    <ul class="places" aria-labelledby="missing">
      ${missing.map(({ title, lang, href }) => html`<li><a href="${href}" lang="${lang}">${title}</a></li> `)}
    </ul>`;
}
