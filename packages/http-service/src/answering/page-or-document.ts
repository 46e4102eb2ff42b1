import type { Html, Shell } from '../pages/layout.ts';
import { SCRIPT_HEADERS } from '../pages/layout.ts';
import { prepared } from '../caching/prepared.ts';
import type { Reply } from '../seam/reply.ts';
import { prefersHtml } from '../reading/accept-media.ts';
import type { RequestHeaders } from '../reading/conditions.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

const VARY = { vary: 'Accept' } as const;
/** Value of `Vary` for pages, whose content also depends on the reader's language. */
export const PAGE_VARY = 'Accept, Accept-Language';
/** Media type of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';

/** The two representations of one address: a document for programs and a page for people. */
export interface Representations {
  readonly type?: string;
  /** The document: a string is sent unchanged, an object as JSON. */
  readonly document: () => Promise<object | string>;
  readonly page: (shell: Shell) => Promise<Html>;
  readonly shell: () => Promise<Shell>;
  /** Headers of the page; default: headers that allow the script of the service's pages. */
  readonly pageHeaders?: Readonly<Record<string, string>>;
}

/** The parts of a request that choose between document and page. */
export interface RepresentationRequest {
  readonly headers: RequestHeaders;
  /** Value of the `format` parameter, which takes precedence over `Accept`. */
  readonly format: 'html' | 'json' | undefined;
}

/** Replies with the document or the page, as the request prefers. Document and page have different ETags. */
export async function pageOrDocument(
  request: RepresentationRequest,
  { type = JSON_TYPE, document, page, shell, pageHeaders }: Representations,
): Promise<Reply> {
  if (prefersPage(request, type)) {
    const reader = await shell();
    return pageReply(await page(reader), reader, pageHeaders);
  }
  const content = await document();
  return prepared(typeof content === 'string' ? content : JSON.stringify(content), { type, headers: VARY });
}

/** True if the request prefers the page. */
export function prefersPage({ headers, format }: RepresentationRequest, type = JSON_TYPE): boolean {
  if (format !== undefined) return format === 'html';
  return prefersHtml(headers['accept'], [type.split(';')[0] ?? type, 'application/json']);
}

/** Replies with a page. Shared caches must not store a page with the name of its reader. */
export async function pageReply(
  page: Html,
  { language, account }: Shell,
  pageHeaders: Readonly<Record<string, string>> = SCRIPT_HEADERS,
): Promise<Reply> {
  const headers = { vary: PAGE_VARY, ...pageHeaders, 'content-language': language };
  const cacheControl = account?.name === undefined ? 'no-cache' : 'private, no-cache';
  return prepared(String(await page), { type: HTML_TYPE, cacheControl, headers });
}

/** Replies with a page of one user, without ETag. The operation must have `noStore`, which forbids caching. */
export async function privatePageReply(
  page: Html,
  { language }: Pick<Shell, 'language'> = { language: 'en' },
): Promise<Reply> {
  const headers = { 'content-type': HTML_TYPE, ...SCRIPT_HEADERS, vary: PAGE_VARY, 'content-language': language };
  return { status: 200, headers, body: String(await page) };
}
