import { PAGE_HEADERS } from '../../pages/layout.ts';
import { problemPage } from '../../pages/problem-page.ts';
import type { Wording } from './wording.ts';

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
