import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';

/** A page above the shown page in the catalogue. */
export interface Crumb {
  readonly title: string;
  /** Address relative to this origin. */
  readonly href: string;
}

/**
 * Breadcrumb: links to the pages above, with the shown page last. `label` is the name of the breadcrumb for screen readers.
 */
export function crumbs(above: readonly Crumb[], here: string, label: string): Html {
  return html`<nav aria-label="${label}" class="crumbs">
    <ol>
      ${above.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

/**
 * A text to copy. The script of the pages adds a button next to the text. `what` is the name of the text for screen readers.
 */
export function copyText(text: string, what: string): Html {
  return html`<div class="copy">
    <pre tabindex="0" aria-label="${what}"><code data-copy="${what}">${text}</code></pre>
  </div>`;
}

/** A query with some parameters changed, as a link to another page of the same path. */
export function queryWith(query: string | undefined, changes: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  return `?${params.toString()}`;
}

/** An address of this service with some parameters of its query changed. */
export function addressWith(address: string, changes: Readonly<Record<string, string>>): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(address) ?? [];
  return Object.keys(changes).length === 0 ? address : path + queryWith(query, changes) + hash;
}

/**
 * Language that the reader chose by the address. The links and forms of a page keep this language. Default: nothing.
 */
export interface ChosenLanguage {
  readonly chosen?: Language | undefined;
}

/** An address of this service in the language that the reader chose. */
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

/** Links to the other pages of a list; '' if there are none. `label` is the name of the links for screen readers. */
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

/** A list of names with their values; entries without value are omitted. */
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
