import { html as template } from 'hono/html';
import { PAGE_HEADERS, pageText, prefixOf } from '../../pages/layout.ts';
import type { Wording } from './wording.ts';

/** A page for people: rows that browsers open directly. */
export const html: Wording = {
  mediaType: 'text/html; charset=utf-8',
  headers: PAGE_HEADERS,
  render: ({ status, title, message }, { requestId, baseUrl }) =>
    pageText({
      title: `${status} ${title}`,
      description: message,
      prefix: baseUrl === '' ? '' : prefixOf(baseUrl),
      body: template`<h1>${title}</h1>
        <p>${message}</p>
        <p><small>Status ${status}, request ${requestId}</small></p>`,
    }),
};
