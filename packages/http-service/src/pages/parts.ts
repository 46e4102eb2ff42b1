import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';

/** Page above the shown page in the catalogue. */
export interface Crumb {
  readonly title: string;
  /** Address relative to this origin. */
  readonly href: string;
}

/** Breadcrumb: links to the pages above, then the shown page. Screen readers read `label`. */
export function crumbs(above: readonly Crumb[], here: string, label: string): Html {
  return html`<nav aria-label="${label}" class="crumbs">
    <ol>
      ${above.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

/** Text to copy. The script of the pages adds a button; `what` names the text for screen readers. */
export function copyText(text: string, what: string): Html {
  return html`<div class="copy">
    <pre tabindex="0" aria-label="${what}"><code data-copy="${what}">${text}</code></pre>
  </div>`;
}

/** Query with changed parameters, as a link to a page with the same path. */
export function queryWith(query: string | undefined, changes: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  return `?${params.toString()}`;
}

/** Address of this service with changed query parameters. */
export function addressWith(address: string, changes: Readonly<Record<string, string>>): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(address) ?? [];
  return Object.keys(changes).length === 0 ? address : path + queryWith(query, changes) + hash;
}

/** Language in the address of the page, for its links and forms. */
export interface ChosenLanguage {
  readonly chosen?: Language | undefined;
}

/** Address of this service in the chosen language. */
export function inChosen({ chosen }: ChosenLanguage, address: string): string {
  return chosen === undefined ? address : addressWith(address, { lang: chosen });
}

/** Links to the neighbouring pages of a long list. */
export interface Pages {
  readonly newer?: string;
  readonly older?: string;
  /** Shown range, such as `61 to 120 of 240`. */
  readonly shown?: string;
}

/** Links to the other pages of a list; '' without links. Screen readers read `label`. */
export function pager(
  { newer, older, shown }: Pages,
  words: readonly [newer: string, older: string],
  label: string,
): Html | '' {
  if (newer === undefined && older === undefined) return '';
  return html`<nav aria-label="${label}" class="pager">
    ${newer === undefined ? '' : html`<a rel="prev" href="${newer}">${words[0]}</a>`}
    ${shown === undefined ? '' : html`<span>${shown}</span>`}
    ${older === undefined ? '' : html`<a rel="next" href="${older}">${words[1]}</a>`}
  </nav>`;
}

/** List of names with values; entries without value are omitted. */
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
