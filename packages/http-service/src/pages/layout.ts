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
 * Script of pages with texts to copy or a live run. It adds buttons that copy texts, and shows the progress of the run.
 * The content security policy allows the script by its hash, so the script contains no data. Pages also work without
 * the script.
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
  // An event could reload the page, and the reply to the sent form would be lost.
  addEventListener('submit', () => source.close());
  let isFirst = true;
  source.addEventListener('open', () => {
    // The first connection sends all events, so the old lines are removed. A later connection sends only new events.
    if (isFirst) log.replaceChildren();
    isFirst = false;
    part('note').textContent = live.dataset.live;
  });
  source.addEventListener('error', () => {
    if (source.readyState === 2) part('note').textContent = live.dataset.away;
  });
}
`;

/** Piece of a page, with escaped texts. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

// The policy allows only inline styles and scripts with these hashes.
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');
// The tags use `raw`, because a formatter could change white space in `html` templates, and then the hashes would be
// wrong.
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

/** Facts about the reader for the header of every page. */
export interface Shell {
  readonly language: Language;
  /** Query of the page's address, for the links to the other languages. */
  readonly query?: string | undefined;
  /** Language in the address, for the links of a page without `query`. */
  readonly chosen?: Language | undefined;
  /** Menu link to the user's pages. */
  readonly account?: Account | undefined;
}

/** Parts of a page; the default language is English. */
export interface PageParts extends Partial<Shell> {
  readonly title: string;
  readonly description: string;
  /** Path of the public address: '' or '/prefix'. */
  readonly prefix: string;
  readonly body: Html;
  /** True if the page has texts to copy or a live run. Its headers must allow the script, as `SCRIPT_HEADERS` do. */
  readonly script?: true;
  /** True for an accuracy report, which has its own style. */
  readonly report?: true;
}

/** Path of the public address, without trailing slash. */
export function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** Whole document around `body`. */
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

/** `?lang=hi` if the reader chose the language in the address; otherwise ''. */
export function languageIn(query: string | undefined): string {
  const lang = chosenIn(query);
  return lang === undefined ? '' : `?lang=${lang}`;
}

/** Language in the address; undefined if the address names none. */
export function chosenIn(query: string | undefined): Language | undefined {
  const lang = new URLSearchParams(query).get('lang');
  return isLanguage(lang) ? lang : undefined;
}

function languageLinks(language: Language, query: string): readonly Html[] {
  return LANGUAGES.filter((each) => each !== language).map((each) => {
    const params = new URLSearchParams(query);
    params.set('lang', each);
    return html`<a class="screen" href="?${params.toString()}" hreflang="${each}" lang="${each}"
      >${LANGUAGE_FACTS[each].link}</a
    >`;
  });
}

function scriptWords(say: Say): string {
  return JSON.stringify({ copy: say('copy'), copied: say('copied'), copyOf: say('copyOf') });
}

/** Foot of a page: version and credits, in English. */
export function foot(version: string, credits: readonly string[]): Html {
  return html`<p class="foot">Headwater ${version}</p>
    ${credits.map((credit) => html`<p class="foot" lang="en">${credit}</p> `)}`;
}

/** Menu link to a user's pages. */
export interface Account {
  /** Address of the dashboard or the sign-in page, relative to the origin. */
  readonly href: string;
  /** Absent for visitors. */
  readonly name?: string;
  /** Address of the admin, for users who may open it. */
  readonly admin?: string;
}

function accountLink({ href, name, admin }: Account, say: Say): Html {
  if (name === undefined) return html`<a href="${href}">${say('signIn')}</a>`;
  const own = html`<a class="account" href="${href}"><span class="hidden">${say('signedInAs')} </span>${name}</a>`;
  return admin === undefined ? own : html`<a href="${admin}">${say('admin')}</a>${own}`;
}

/** Headers of a page without script; the policy allows only the styles of the pages. */
export const PAGE_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } as const;

/** Headers of a page with a form, which is sent to this origin only. */
export const FORM_HEADERS = withForms(PAGE_HEADERS);

/**
 * Headers of a page of one user, with forms to this origin and the script of the pages. With the policy
 * `no-referrer`, browsers would hide the origin of a form.
 */
export const SCREEN_HEADERS = {
  ...withForms({ 'content-security-policy': SCRIPT_POLICY }),
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** Headers of a page with the script of the pages. The script may send requests to this origin. */
export const SCRIPT_HEADERS = { ...PAGE_HEADERS, 'content-security-policy': SCRIPT_POLICY } as const;

/** Headers of a page with an interactive map. Images may also come from the origins in `pictures`. */
export function mapHeaders(pictures: readonly string[]): Readonly<Record<string, string>> {
  const policy = SCRIPT_POLICY.replace('script-src', "script-src 'self'");
  return {
    ...PAGE_HEADERS,
    'content-security-policy': policy.replace("img-src 'self' data:", ["img-src 'self' data:", ...pictures].join(' ')),
  };
}

/** Adds to the policy in the headers the permission to send forms to this origin. */
export function withForms(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const policy = headers['content-security-policy'] ?? POLICY;
  return { ...headers, 'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'") };
}

/** Headers of a page with the script of the pages and a form. */
export const SCRIPT_FORM_HEADERS = withForms(SCRIPT_HEADERS);

/** Renders a page synchronously. Throws if a part of the page is a promise. */
export function pageText(parts: PageParts): string {
  const document = page(parts);
  if (document instanceof Promise)
    throw new Error('pageText: a part of this page is a promise; await it before you pass it');
  return document.toString();
}

/** Functions that return addresses for the links of a page. */
export interface PageLinks {
  readonly prefix: string;
  /**
   * Address of this service without the origin. Other http(s) addresses are unchanged; undefined for other schemes
   * such as `javascript:`, so that links from data cannot run scripts.
   */
  readonly here: (address: string) => string | undefined;
  /** Same as `here`, but without the prefix. */
  readonly below: (address: string) => string | undefined;
  /**
   * Same as `here`, for images; undefined for an address of another server, which the content security policy refuses.
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
