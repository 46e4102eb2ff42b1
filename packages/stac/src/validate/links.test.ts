import { describe, expect, it } from 'vitest';
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
  it('take time by their number, and not by its square', () => {
    const collection = withLinks(linksOf(40_000));
    const start = performance.now();
    validate(collection, { profile: 'headwater' });
    // A fraction of a second where each link is looked at once; minutes where each is compared with each.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('are told where one is repeated, in whatever order its members are', () => {
    const [first, ...rest] = linksOf(3);
    const asked = { ...first, method: 'POST', body: { a: 1, b: { c: 2, d: 3 } } };
    const again = { body: { b: { d: 3, c: 2 }, a: 1 }, method: 'POST', ...first };
    const other = { ...asked, body: { a: 1, b: { c: 2, d: 4 } } };
    const found = validate(withLinks([...rest, first ?? {}, asked, other, again]), { profile: 'headwater' });
    const at = sampleCollection().links.length + 5;
    expect(found.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([`links.repeated /links/${String(at)}`]);
  });
});
