import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A place on the way from the catalogue to the page. */
export interface Crumb {
  readonly title: string;
  /** Relative to this origin. */
  readonly href: string;
}

/** Where the page stands: links to what is above it, the page itself last. `label` names the list for those who hear the page. */
export function crumbs(above: readonly Crumb[], here: string, label = 'Breadcrumb'): Html {
  return html`<nav aria-label="${label}" class="crumbs">
    <ol>
      ${above.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

/** A text to paste elsewhere; our script puts a button beside it. `what` names it for those who hear the page. */
export function copyText(text: string, what: string): Html {
  return html`<div class="copy">
    <pre tabindex="0" aria-label="${what}"><code data-copy="${what}">${text}</code></pre>
  </div>`;
}

/** Where other pages of a long list are. */
export interface Pages {
  readonly newer?: string;
  readonly older?: string;
  /** In words, such as `61 to 120 of 240`. */
  readonly shown?: string;
}

/** Links to the other pages of a list; nothing where there are none. */
export function pager({ newer, older, shown }: Pages, words: readonly [newer: string, older: string]): Html | '' {
  if (newer === undefined && older === undefined) return '';
  return html`<nav aria-label="Pages" class="pager">
    ${newer === undefined ? '' : html`<a rel="prev" href="${newer}">${words[0]}</a>`}
    ${shown === undefined ? '' : html`<span>${shown}</span>`}
    ${older === undefined ? '' : html`<a rel="next" href="${older}">${words[1]}</a>`}
  </nav>`;
}

/** Names with their values; those without a value are left out. */
export function facts(entries: readonly (readonly [name: string, value: Html | string | undefined])[]): Html {
  return html`<dl class="facts">
    ${entries.map(([name, value]) =>
      value === undefined || value === ''
        ? ''
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div> `,
    )}
  </dl>`;
}
