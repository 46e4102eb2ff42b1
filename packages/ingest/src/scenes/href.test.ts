import { expect, it } from 'vitest';
import { isReadable, resolveHref } from './href.ts';

it.each([
  ['/data/eo/catalog.json', './items/a.json', '/data/eo/items/a.json'],
  ['/data/eo/items/a.json', '../../x.tif', '/data/x.tif'],
  ['/data/eo/items/a.json', 'B04.tif', '/data/eo/items/B04.tif'],
  ['/data/a.json', '/abs/b.tif', '/abs/b.tif'],
  ['/data/a.json', '../../../../etc/x', '/etc/x'],
  ['/data/a.json', './my%20items/b.json', '/data/my items/b.json'],
  ['/data/a.json', './50%.tif', '/data/50%.tif'],
  ['/data/a.json', 'file:///data/my%20eo/b.tif', '/data/my eo/b.tif'],
  ['https://h.example.org/v1/a.json', '../b.json', 'https://h.example.org/b.json'],
  ['https://h.example.org/a.json', 'https://o.example.org/b.tif?sig=1', 'https://o.example.org/b.tif?sig=1'],
  ['/data/a.json', 'https://o.example.org/b.tif', 'https://o.example.org/b.tif'],
])('in the document %s, the href %s leads to %s', (base, href, target) => expect(resolveHref(base, href)).toBe(target));

it.each([
  'file:///etc/passwd',
  'FILE:/etc/passwd',
  'c:/etc/passwd',
  'c:\\x',
  's3://b/a.tif',
  'data:,x',
  'x:y',
  '//',
  '\\\\[',
])('a document at an http address cannot lead to %j', (href) =>
  expect(resolveHref('https://h.example.org/v1/a.json', href)).toBeUndefined(),
);

it.each([
  ['/etc/passwd', 'https://h.example.org/etc/passwd'],
  ['\\etc\\passwd', 'https://h.example.org/etc/passwd'],
  ['../../../../etc/passwd', 'https://h.example.org/etc/passwd'],
  ['%2e%2e/%2e%2e/etc/passwd', 'https://h.example.org/etc/passwd'],
  ['//o.example.org/b.tif', 'https://o.example.org/b.tif'],
  ['\\\\o.example.org\\b.tif', 'https://o.example.org/b.tif'],
  [' https:b.tif', 'https://h.example.org/v1/b.tif'],
  ['', 'https://h.example.org/v1/a.json'],
])('%j in a document at an http address becomes an http address', (href, target) =>
  expect(resolveHref('https://h.example.org/v1/a.json', href)).toBe(target),
);

it('refuses NUL, and recognises readable addresses', () => {
  expect(resolveHref('/data/a.json', 'a\0b')).toBeUndefined();
  expect(resolveHref('/data/a.json', 'a%00b')).toBeUndefined();
  expect(['/a.tif', 'https://x/a.tif', 's3://b/a.tif', 'file:///a.tif'].map(isReadable)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
