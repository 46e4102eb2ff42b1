import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../extensions.ts';
import { sampleCollection } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';

const linksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    rel: 'item',
    href: `https://example.org/items/${String(index)}`,
    type: 'application/geo+json',
    title: 'An Item',
  }));
const withLinks = (links: readonly object[]) => ({
  ...sampleCollection(),
  links: [...sampleCollection().links, ...links],
});

describe('links of a Collection with many Items', () => {
  it('are checked in linear time', () => {
    const collection = withLinks(linksOf(40_000));
    const start = performance.now();
    validate(collection, { profile: 'headwater' });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('are reported if one is repeated, in any order of its members', () => {
    const [first, ...rest] = linksOf(3);
    const posted = { ...first, method: 'POST', body: { a: 1, b: { c: 2, d: 3 } } };
    const again = { body: { b: { d: 3, c: 2 }, a: 1 }, method: 'POST', ...first };
    const other = { ...posted, body: { a: 1, b: { c: 2, d: 4 } } };
    const found = validate(withLinks([...rest, first ?? {}, posted, other, again]), { profile: 'headwater' });
    const at = sampleCollection().links.length + 5;
    expect(found.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([`links.repeated /links/${String(at)}`]);
  });
});

describe('links to maps', () => {
  const maps = EXTENSIONS.webMapLinks;
  const wms = { rel: 'wms', href: 'https://example.org/wms', type: 'image/png', title: 'WMS' };
  const declaring = (...links: readonly object[]) => ({ ...withLinks(links), stac_extensions: [maps] });

  it.each([
    [[], ['links.map-missing']],
    [[wms], ['links.map-layers']],
    [[{ ...wms, 'wms:layers': [] }], ['wms.layers']],
    [[{ ...wms, 'wms:layers': ['a:b'], 'wms:styles': ['c'], 'wms:dimensions': { time: '2021' } }], []],
    [[{ ...wms, rel: 'xyz', href: 'https://example.org/{z}/{x}/{-y}.png' }], []],
    [[{ ...wms, rel: 'xyz', href: 'https://example.org/{level}/{x}/{y}.png' }], ['href.fetchable']],
    [[{ ...wms, rel: 'tilejson', href: 'https://example.org/{z}.json' }], ['href.fetchable']],
  ])('%j have the errors %j', (links, expected) => {
    const found = validate(declaring(...links), { profile: 'headwater' });
    expect(found.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(expected);
  });
});
