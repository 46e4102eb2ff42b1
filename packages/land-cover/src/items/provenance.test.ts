import { expect, it } from 'vitest';
import { publicHref, skippedScenes } from './provenance.ts';

it.each([
  ['https://stac.example.org/items/a', 'https://stac.example.org/items/a'],
  ['https://stac.example.org/v1/search?key=s3cret', 'https://stac.example.org/v1/search'],
  ['https://me:s3cret@stac.example.org/items/a#s3cret', 'https://stac.example.org/items/a'],
  ['http://[::1/a?key=s3cret', null],
  ['https://stac.example.org/a b', null],
  ['/srv/geo/eo/a.json', null],
  ['s3://bucket/a.json', null],
])('shows the Item at %s with the link %s', (href, shown) => expect(publicHref(href)).toBe(shown));

it.each([
  ['https://h.example.org/x/B04.tif: HTTP 403', 'B04.tif: HTTP 403'],
  ['https://h.example.org/x/B04.tif?se=2026-01-01T10:00:00Z&sig=s3cret: HTTP 403', 'B04.tif: HTTP 403'],
  ['https://h.example.org?path=/x/B04.tif&sig=s3cret: HTTP 403', 'h.example.org: HTTP 403'],
  ['https://me:s3cret@h.example.org/B04.tif#s3cret; fetch it again', 'B04.tif; fetch it again'],
  ['/srv/geo/eo/B04.tif: it is truncated; fetch it again', 'B04.tif: it is truncated; fetch it again'],
  ['lacks band swir16', 'lacks band swir16'],
])('shortens the reason %s to %s', (reason, shown) => {
  expect(skippedScenes([{ result: { skipped: { a: reason } } }])).toEqual({ a: shown });
});
