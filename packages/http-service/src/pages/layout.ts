import { REPORT_STYLE } from '@headwater/accuracy/report';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { createHash } from 'node:crypto';
import { isLanguage, type Language, LANGUAGE_FACTS, LANGUAGES } from '../wire/words.ts';
import { paths } from '../wire/paths.ts';
import { keepLanguage } from './keep-language.ts';
import { STYLE } from './style.ts';
import { type Say, sayIn } from './texts.ts';

/**
 * The script of all pages. The content security policy allows the script by its hash. The script contains no data, and reads its
 * texts from the page. Pages also work without the script. The script adds a button next to each text to copy (if the browser
 * allows access to the clipboard), and shows the live progress of a run. When the run has ended, the script reloads the page, which
 * then shows the result.
 */
const SCRIPT = `
const words = JSON.parse(document.body.dataset.words);
for (const text of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words.copy;
  button.setAttribute('aria-label', words.copyOf.replace('{what}', () => text.dataset.copy));
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = words.copied;
  });
  text.closest('.copy').append(button);
}
const live = document.querySelector('[data-events]');
if (live) {
  const part = (name) => live.querySelector('[data-part=' + name + ']');
  const source = new EventSource(live.dataset.events);
  const on = (kind, show) => source.addEventListener(kind, (event) => {
    const { data, at } = JSON.parse(event.data);
    show(data, at);
  });
  on('progress', ({ progress, step }) => {
    if (typeof progress === 'number') {
      part('bar').value = progress;
      part('share').textContent = Math.round(progress * 100) + ' %';
    }
    if (typeof step === 'string') part('step').textContent = step.replaceAll('_', ' ');
  });
  const log = document.querySelector('[data-log]');
  const note = (at, text) => {
    const line = document.createElement('p');
    line.textContent = at.slice(11, 19) + ' ' + text;
    log.append(line);
    while (log.childElementCount > Number(log.dataset.log)) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  };
  on('log', ({ message }, at) => note(at, String(message)));
  on('state', ({ state }, at) => {
    note(at, 'state ' + state);
    part('state').textContent = live.dataset[state] ?? state;
    if (state !== 'success' && state !== 'failed') return;
    source.close();
    location.reload();
  });
  // The reply to a form, such as one that cancels the run, must not be replaced by the reload.
  addEventListener('submit', () => source.close());
  let isFirst = true;
  source.addEventListener('open', () => {
    // The stream begins with the first event, and continues after the last one when the browser connects again.
    if (isFirst) log.replaceChildren();
    isFirst = false;
    part('note').textContent = live.dataset.live;
  });
  source.addEventListener('error', () => {
    if (source.readyState === 2) part('note').textContent = live.dataset.away;
  });
}
`;

/** A piece of a page; texts in it are always escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

// The policy allows only the inline styles and the script with these hashes.
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');
// The tags are built outside of the page's template, because a formatter could change white space inside the tags, and the hashes
// would then be wrong.
const STYLE_TAG = raw(`<style>${STYLE}</style>`);
const REPORT_TAG = raw(`<style>${REPORT_STYLE}</style>`);
const SCRIPT_TAG = raw(`<script type="module">${SCRIPT}</script>`);
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(STYLE)}' 'sha256-${sha256(REPORT_STYLE)}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const SCRIPT_POLICY = `${POLICY}; script-src 'sha256-${sha256(SCRIPT)}'; connect-src 'self'`;

/** Facts about the reader of a page, for the shell of the page: the header with the menu, which every page has. */
export interface Shell {
  readonly language: Language;
  /**
   * Query of the page's address, which the links to the other languages keep. If absent, the page has no such links.
   */
  readonly query?: string | undefined;
  /** Language that the reader chose by the address, for the links of a page without `query`. */
  readonly chosen?: Language | undefined;
  /** Link in the menu to the pages of the user; default: no link. */
  readonly account?: Account | undefined;
}

/** Parts that every page has. The default language is English. */
export interface PageParts extends Partial<Shell> {
  readonly title: string;
  readonly description: string;
  /** Path part of the public address, '' or '/prefix', so that links work behind any prefix. */
  readonly prefix: string;
  readonly body: Html;
  /** True if the page has texts to copy or a live run. Such a page is sent with `SCRIPT_HEADERS`. */
  readonly script?: true;
  /** True if the page shows an accuracy report, which has its own style. */
  readonly report?: true;
}

/** Path part of the public address without its trailing slash. */
export function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** A whole document around `body`. */
export function page(parts: PageParts): Html {
  const { title, description, prefix, body, script, report, account, query, chosen, language = 'en' } = parts;
  const say = sayIn(language);
  const kept = chosen ?? chosenIn(query);
  const document = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <link
          rel="icon"
          href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%23125e63'/%3E%3Cpath d='M6 20c4-5 7 3 11-2s5-4 9-2M6 13c4-5 7 3 11-2s5-4 9-2' fill='none' stroke='%23fff' stroke-width='2.6' stroke-linecap='round'/%3E%3C/svg%3E"
        />
        ${STYLE_TAG}${report === true ? REPORT_TAG : ''}${script === true ? SCRIPT_TAG : ''}
      </head>
      <body${script === true ? html` data-words="${scriptWords(say)}"` : ''}>
        <a class="skip" href="#main">${say('skip')}</a>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="${prefix}/"><span aria-hidden="true" class="mark"></span>Headwater</a>
            <nav aria-label="${say('mainMenu')}">
              <a href="${prefix}${paths.docs}">${say('reference')}</a
              ><a href="${prefix}${paths.catalog}">${say('catalogue')}</a
              ><a href="${prefix}${paths.health}">${say('health')}</a
              >${account === undefined ? '' : accountLink(account, say)}${query === undefined ? '' : languageLinks(language, query)}
            </nav>
          </div>
        </header>
        <main id="main" class="wrap">${body}</main>
      </body>
    </html> `;
  if (kept === undefined) return document;
  return document instanceof Promise
    ? document.then((text) => keepLanguage(text, prefix, kept))
    : keepLanguage(document, prefix, kept);
}

/** Query of a link that stays in the language which the reader chose by the address: `?lang=hi`, or ''. */
export function languageIn(query: string | undefined): string {
  const lang = chosenIn(query);
  return lang === undefined ? '' : `?lang=${lang}`;
}

/** Language that the reader chose by the address; undefined if the address names no language. */
export function chosenIn(query: string | undefined): Language | undefined {
  const lang = new URLSearchParams(query).get('lang');
  return isLanguage(lang) ? lang : undefined;
}

/** Links to the same page in the other languages, each written in its language. */
function languageLinks(language: Language, query: string): readonly Html[] {
  return LANGUAGES.filter((each) => each !== language).map((each) => {
    const params = new URLSearchParams(query);
    params.set('lang', each);
    return html`<a class="screen" href="?${params.toString()}" hreflang="${each}" lang="${each}"
      >${LANGUAGE_FACTS[each].link}</a
    >`;
  });
}

/** Words that the script of the pages shows, as JSON. */
function scriptWords(say: Say): string {
  return JSON.stringify({ copy: say('copy'), copied: say('copied'), copyOf: say('copyOf') });
}

/** Last lines of a page: the version and the credits, which are in English. */
export function foot(version: string, credits: readonly string[]): Html {
  return html`<p class="foot">Headwater ${version}</p>
    ${credits.map((credit) => html`<p class="foot" lang="en">${credit}</p> `)}`;
}

/** Link in the menu of a page to the pages of a user. */
export interface Account {
  /** Address of the dashboard or of the sign-in page, relative to this origin. */
  readonly href: string;
  /** Name of the user; absent for visitors. */
  readonly name?: string;
  /** Address of the admin; absent for users who may not open it. */
  readonly admin?: string;
}

function accountLink({ href, name, admin }: Account, say: Say): Html {
  if (name === undefined) return html`<a href="${href}">${say('signIn')}</a>`;
  const own = html`<a class="account" href="${href}"><span class="hidden">${say('signedInAs')} </span>${name}</a>`;
  return admin === undefined ? own : html`<a href="${admin}">${say('admin')}</a>${own}`;
}

/** Headers of a page without script: the policy allows only the styles of the pages. */
export const PAGE_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } as const;

/** Headers of a page with a form, which may be sent to this origin only. */
export const FORM_HEADERS = withForms(PAGE_HEADERS);

/**
 * Headers of a page of one user. They allow forms that are sent to this origin, and the script of the pages. Browsers send the
 * origin of a form only if the referrer policy allows it. `X-Frame-Options` is for browsers that ignore `frame-ancestors`.
 */
export const SCREEN_HEADERS = {
  ...withForms({ 'content-security-policy': SCRIPT_POLICY }),
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** Headers of a page with the script of the pages. The script may run, and may send requests to this origin. */
export const SCRIPT_HEADERS = { ...PAGE_HEADERS, 'content-security-policy': SCRIPT_POLICY } as const;

/**
 * Headers of a page with an interactive map. The files of the map are scripts of this origin. Pictures may also come from the origins in
 * `pictures`.
 */
export function mapHeaders(pictures: readonly string[]): Readonly<Record<string, string>> {
  const policy = SCRIPT_POLICY.replace('script-src', "script-src 'self'");
  return {
    ...PAGE_HEADERS,
    'content-security-policy': policy.replace("img-src 'self' data:", ["img-src 'self' data:", ...pictures].join(' ')),
  };
}

/** Returns these headers, changed for a page whose forms are sent to this origin. */
export function withForms(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const policy = headers['content-security-policy'] ?? POLICY;
  return { ...headers, 'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'") };
}

/** Headers of a page with the script of the pages, and with a form that is sent to this origin only. */
export const SCRIPT_FORM_HEADERS = withForms(SCRIPT_HEADERS);

/** Renders a page synchronously. Throws if a part of it is a promise: error pages do not wait. */
export function pageText(parts: PageParts): string {
  const document = page(parts);
  if (document instanceof Promise) throw new Error('pageText: a part of this page is a promise; resolve it before');
  return document.toString();
}

/** Functions that turn addresses into links of a page. */
export interface PageLinks {
  /** '' or '/prefix'. */
  readonly prefix: string;
  /**
   * Returns an address of this service without the origin, so that a page works behind any proxy, and with a content security
   * policy that allows only 'self'. Other http(s) addresses are unchanged. Undefined for other schemes, because data must not bring
   * script links.
   */
  readonly here: (address: string) => string | undefined;
  /** Same as `here`, but the returned address has no prefix, for values of the admin. */
  readonly below: (address: string) => string | undefined;
  /**
   * Same as `here`, for the address of a picture; undefined for an address of another server, because the content security policy
   * of the pages does not allow pictures from other servers.
   */
  readonly picture: (address: string) => string | undefined;
}

/** Link functions for pages below the public address. */
export function pageLinks(baseUrl: string): PageLinks {
  const prefix = prefixOf(baseUrl);
  const picture = (address: string): string | undefined =>
    address.startsWith(`${baseUrl}/`) ? prefix + address.slice(baseUrl.length) : undefined;
  const here = (address: string): string | undefined =>
    picture(address) ?? (/^https?:\/\//i.test(address) ? address : undefined);
  const below = (address: string): string | undefined =>
    address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : here(address);
  return { prefix, here, below, picture };
}
