import type { Html } from '../pages/layout.ts';
import { SCRIPT_HEADERS } from '../pages/layout.ts';
import { prepared } from '../caching/prepared.ts';
import type { Reply } from '../seam/reply.ts';
import { prefersHtml } from '../reading/accept-media.ts';
import type { RequestHeaders } from '../reading/conditions.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

const VARY = { vary: 'Accept' } as const;
/** Media type of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Both forms of a document at one address. */
export interface Forms {
  /** Media type of what programs read; default: JSON. */
  readonly type?: string;
  /** A text is sent as it is. */
  readonly document: () => Promise<object | string>;
  readonly page: () => Promise<Html>;
}

/** What tells which form is meant. */
export interface FormRequest {
  readonly headers: RequestHeaders;
  /** As `format=` has it; it goes before `Accept`. */
  readonly format: 'html' | 'json' | undefined;
}

/** Answers with the form that the request means, each under a tag of its own. */
export async function inForm(request: FormRequest, { type = JSON_TYPE, document, page }: Forms): Promise<Reply> {
  if (wantsPage(request, type)) return pageReply(await page());
  const made = await document();
  return prepared(typeof made === 'string' ? made : JSON.stringify(made), { type, headers: VARY });
}

/** True where the page is meant. */
export function wantsPage({ headers, format }: FormRequest, type = JSON_TYPE): boolean {
  if (format !== undefined) return format === 'html';
  return prefersHtml(headers['accept'], [type.split(';')[0] ?? type, 'application/json']);
}

/** A page with our script, at an address that has other forms too. */
export async function pageReply(page: Html): Promise<Reply> {
  return prepared(String(await page), { type: HTML_TYPE, headers: { ...SCRIPT_HEADERS, ...VARY } });
}

/** A page of one user, which nobody keeps. */
export async function privatePageReply(page: Html): Promise<Reply> {
  return { status: 200, headers: { 'content-type': HTML_TYPE, ...SCRIPT_HEADERS, ...VARY }, body: String(await page) };
}
