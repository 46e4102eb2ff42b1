import { expect, test } from 'vitest';
import { prefersHtml } from './accept-media.ts';

test.each<[string | readonly string[] | undefined, boolean]>([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML; charset=utf-8', true],
  ['text/*;q=0.3', true],
  ['text/html;q=0.9, application/json;q=0.8', true],
  ['*/*, text/html, application/json;q=0.5', true],
  [['application/json;q=0.1', 'text/html;q=0.2'], true],
  ['text/html;q=0.8, application/json;q=0.9', false],
  ['text/html, application/json', false],
  ['text/html, */*', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0', false],
  ['text/html;q=2', false],
  ['text/html;q=high', false],
  ['text/plain', false],
  ['*/*', false],
  ['application/json, text/plain, */*', false],
  ['', false],
  [',;,', false],
  [undefined, false],
])('the Accept header %j prefers HTML: %s', (accept, page) => {
  expect(prefersHtml(accept)).toBe(page);
});

test('compares text/html with every type of the document', () => {
  const types = ['application/geo+json', 'application/json'];
  expect(prefersHtml('text/html;q=0.9, application/geo+json', types)).toBe(false);
  expect(prefersHtml('text/html, application/geo+json;q=0.9', types)).toBe(true);
});
