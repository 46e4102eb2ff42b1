import type { ZodType } from 'zod';
import { escapeXml } from '@headwater/core/xml';
import { type Account, PAGE_HEADERS } from '../../pages/layout.ts';
import { problemPage, type ShownProblem } from '../../pages/problem-page.ts';
import type { ServiceResponse } from '../../seam/request.ts';
import type { Language } from '../words.ts';
import type { WireError } from '../wire-error.ts';

/** Facts about a request for its error format. */
export interface WordingContext {
  readonly requestId: string;
  readonly method: string;
  /** Public base address without trailing slash; '' if unknown. */
  readonly baseUrl: string;
  readonly path: string;
  /** Language that the reader prefers. */
  readonly language: Language;
  readonly queryText?: string;
  /** Link to the user's pages, in the menu of an error page. */
  readonly account?: Account | undefined;
  /** Address of the sign-in page, for GETs that accept a session; otherwise, and with `pages: 'off'`, undefined. */
  readonly signIn?: string | undefined;
}

/** Error format: writes the body of an error response. */
export interface Wording {
  readonly mediaType: string;
  /** Schema of a JSON body. */
  readonly schema?: ZodType;
  readonly headers?: ServiceResponse['headers'];
  readonly render: (error: WireError, context: WordingContext) => string;
}

/** The only media type that existing clients parse as JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Error page of reports. */
export const report: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: { ...PAGE_HEADERS, vary: 'Accept-Language' },
  render: (error, context) => problemPage({ ...problemOf(error, context), isReport: true }),
};

/** Error page of operations that browsers open. */
export const html: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: { ...PAGE_HEADERS, vary: 'Accept-Language' },
  render: (error, context) => problemPage(problemOf(error, context)),
};

function problemOf(
  { status, title, message, details }: WireError,
  { requestId, baseUrl, path, language, queryText, account, signIn }: WordingContext,
): ShownProblem {
  const userWithoutAccount =
    typeof details['userWithoutAccount'] === 'string' ? details['userWithoutAccount'] : undefined;
  const shell = { language, query: queryText, account };
  return { shell, status, title, message, requestId, baseUrl, path, signIn, userWithoutAccount };
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
