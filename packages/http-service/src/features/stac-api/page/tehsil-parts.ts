import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';

/** Links of a tehsil's page. */
export interface TehsilLinks {
  readonly report: string;
  /** Undefined if the tehsil has no tables. */
  readonly workbook: string | undefined;
  /** Undefined if the tehsil has no tables. */
  readonly tables: string | undefined;
  readonly tableCount: number;
  /** Computations that have published nothing here, linked to their entries. */
  readonly missing: readonly Crumb[];
  /** Form that computes layers of this tehsil; undefined if the service has no pages of users. */
  readonly form: string | undefined;
}

/** Links to the report, tables, workbook and layers of a tehsil. */
export function tehsilWays({ report, workbook, tables, tableCount }: TehsilLinks): Html {
  return html`<ul class="buttons" aria-label="This tehsil">
    <li><a class="button" href="${report}">Report</a></li>
    ${
      tables === undefined
        ? ''
        : html`<li>
            <a class="button" href="${tables}">Tables <small>${tableCount}</small></a>
          </li>`
    }
    ${
      workbook === undefined
        ? ''
        : html`<li>
            <a class="button" href="${workbook}">Workbook <small>xlsx</small></a>
          </li>`
    }
    <li><a class="button plainer" href="#layers">Layers</a></li>
  </ul>`;
}

/** List of the computations that are missing at a tehsil; '' if there are none. */
export function missingHere({ missing, form }: TehsilLinks): Html | '' {
  if (missing.length === 0) return '';
  return html`<h2 id="missing">Compute what is missing</h2>
    <p>These layers are not published here yet. Each name leads to what the computation needs and how to start it.</p>
    ${form === undefined ? '' : html`<p><a class="button" href="${form}">Choose a layer and start it</a></p>`}
    <ul class="places" aria-labelledby="missing">
      ${missing.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
    </ul>`;
}
