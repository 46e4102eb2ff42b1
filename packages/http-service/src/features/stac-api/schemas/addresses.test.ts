import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from '../../../reading/query.ts';
import { nextQuery, stacApiAddresses, withQuery } from './addresses.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'));
const pairs = fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 6 });
const cursor = fc.stringMatching(/^[\w.-]{1,40}$/);

it('the next query equals the previous one except for its cursor', () => {
  fc.assert(
    fc.property(pairs, cursor, cursor, (sent, one, two) => {
      const text = new URLSearchParams(sent.filter(([key]) => key !== 'token')).toString();
      const next = nextQuery(nextQuery(text, one), two);
      expect(parseQuery(next, false)).toEqual({ ...parseQuery(text, false), token: two });
      expect(next).toBe(nextQuery(text, two));
    }),
  );
});

it.each(['token', '%74oken', 't%6Fk%65n'])(
  'the next query has only one cursor if the name was written %s in the previous query',
  (name) => {
    expect(nextQuery(`limit=2&${name}=old&tokens=1`, 'new')).toBe('limit=2&tokens=1&token=new');
  },
);

it('an address has only allowed characters, and its query is parsed to the same values', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
      const query = `a=${raw.replaceAll(/[%&#+\0]/g, '')}`;
      const address = withQuery('https://maps.example/search', query);
      expect(address).toMatch(/^[!-~]+$/);
      expect(parseQuery(new URL(address).search.slice(1), false)).toEqual(parseQuery(query, false));
    }),
  );
});

it('ids that are slugs are not encoded in addresses; all other ids become one path segment', () => {
  const { item, collection } = stacApiAddresses('https://maps.example/geo');
  expect(collection('a.b:c_d-e')).toBe('https://maps.example/geo/api/v1/stac-api/collections/a.b:c_d-e');
  expect(item('a', '../b?c#d')).toBe('https://maps.example/geo/api/v1/stac-api/collections/a/items/..%2Fb%3Fc%23d');
});
