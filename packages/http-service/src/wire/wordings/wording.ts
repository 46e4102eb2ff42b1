import type { ZodType } from 'zod';
import { escapeXml } from '@headwater/core/xml';
import { type Account, PAGE_HEADERS } from '../../pages/layout.ts';
import { problemPage, type ShownProblem } from '../../pages/problem-page.ts';
import type { ServiceResponse } from '../../seam/request.ts';
import type { Language } from '../words.ts';
import type { WireError } from '../wire-error.ts';

/** Facts about a request that an error format may use. */
export interface WordingContext {
  readonly requestId: string;
  /** HTTP method, in upper case. */
  readonly method: string;
  /** Absolute public address of the service, no trailing slash; '' if unknown. */
  readonly baseUrl: string;
  /** Requested path, without its query. */
  readonly path: string;
  /** The language of `LANGUAGES` that the reader prefers. */
  readonly language: Language;
  /** Query of the request. */
  readonly queryText?: string;
  /** Link in the header of an error page to the pages of the reader. */
  readonly account?: Account | undefined;
  /**
   * Address of the sign-in page, which then returns to the requested page. Undefined if the requested page needs no
   * session.
   */
  readonly signIn?: string | undefined;
}

/** Error format: writes the body of an error response. */
export interface Wording {
  /** Value of `content-type`. */
  readonly mediaType: string;
  /** Schema of the body for the OpenAPI document, if it is JSON. */
  readonly schema?: ZodType;
  /** Further headers of the response. */
  readonly headers?: ServiceResponse['headers'];
  readonly render: (error: WireError, context: WordingContext) => string;
}

/** Media type of JSON bodies. Existing clients parse only this media type. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Error page of reports, in the language of the request. */
export const report: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: { ...PAGE_HEADERS, vary: 'Accept-Language' },
  render: (error, context) => problemPage({ ...problemOf(error, context), isReport: true }),
};

/** Error page of operations that browsers open directly, in the language of the request. */
export const html: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: { ...PAGE_HEADERS, vary: 'Accept-Language' },
  render: (error, context) => problemPage(problemOf(error, context)),
};

function problemOf(
  { status, title, message, details }: WireError,
  { requestId, baseUrl, path, language, queryText, account, signIn }: WordingContext,
): ShownProblem {
  const unknownUser = typeof details['hostUser'] === 'string' ? details['hostUser'] : undefined;
  const shell = { language, query: queryText, account };
  return { shell, status, title, message, requestId, baseUrl, path, signIn, unknownUser };
}

/** OWS exception reports in XML; `details.ogcCode` and `details.locator` have the code and the parameter. */
export const ogc: Wording = { mediaType: 'application/xml; charset=utf-8', render: exceptionReport };

function exceptionReport({ message, details }: WireError): string {
  const { ogcCode, locator } = details;
  const code = typeof ogcCode === 'string' ? ogcCode : 'NoApplicableCode';
  const place = typeof locator === 'string' ? ` locator="${escapeXml(locator)}"` : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/2.0" version="2.0.0">',
    `  <ows:Exception exceptionCode="${escapeXml(code)}"${place}>`,
    `    <ows:ExceptionText>${escapeXml(message)}</ows:ExceptionText>`,
    '  </ows:Exception>',
    '</ows:ExceptionReport>',
    '',
  ].join('\n');
}
