import type { ZodType } from 'zod';
import { PAGE_HEADERS } from '../../pages/layout.ts';
import { problemPage } from '../../pages/problem-page.ts';
import type { ServiceResponse } from '../../seam/request.ts';
import type { Language } from '../languages.ts';
import type { WireError } from '../wire-error.ts';

/** What a wording may name beside the failure. */
export interface WordingContext {
  readonly requestId: string;
  /** Upper case. */
  readonly method: string;
  /** Absolute public address of the service, no trailing slash; '' where it is not known. */
  readonly baseUrl: string;
  /** What was asked for, without its query. */
  readonly path: string;
  /** That the reader likes best, of those that pages speak. */
  readonly language: Language;
}

/** One way to put failures into a body; a surface with other habits is one more value of this kind. */
export interface Wording {
  /** As `content-type` has it. */
  readonly mediaType: string;
  /** Shape of the body for the OpenAPI document, where it is JSON. */
  readonly schema?: ZodType;
  /** Headers that this kind of body needs. */
  readonly headers?: ServiceResponse['headers'];
  readonly render: (error: WireError, context: WordingContext) => string;
}

/** Media type of JSON bodies: clients of the live system parse only this one. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** The same in the language that the request means: reports. */
export const report: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: { ...PAGE_HEADERS, vary: 'Accept-Language' },
  render: ({ status, title, message }, { requestId, baseUrl, path, language }) =>
    problemPage({ status, title, message, requestId, baseUrl, path, language }),
};

/** A page for people: rows that browsers open directly. */
export const html: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: PAGE_HEADERS,
  render: ({ status, title, message }, { requestId, baseUrl, path }) =>
    problemPage({ status, title, message, requestId, baseUrl, path }),
};
