import { expect, it } from 'vitest';
import { SearchBody, SearchQuery } from './search-schemas.ts';

const LONG = 'a'.repeat(501);
const MANY = Array.from({ length: 100 }, (_, index) => `assam_cachar_${String(index)}`);

it.each(['ids', 'collections'] as const)(
  '%s: an empty text is no condition, in query and body; an empty list finds nothing',
  (name) => {
    const none = SearchQuery.parse({}).conditions;
    for (const empty of ['', ' , ']) expect(SearchQuery.parse({ [name]: empty }).conditions).toEqual(none);
    for (const empty of ['', ' , ']) expect(SearchBody.parse({ [name]: empty }).conditions).toEqual(none);
    for (const empty of [[], ['', ' ']]) expect(SearchBody.parse({ [name]: empty }).conditions).toEqual({ [name]: [] });
  },
);

it.each(['ids', 'collections'] as const)(
  '%s: a text may have as many ids as a list, and each id has a maximum length',
  (name) => {
    const expected = { [name]: MANY };
    expect(SearchQuery.parse({ [name]: MANY.join(',') }).conditions).toEqual(expected);
    expect(SearchBody.parse({ [name]: MANY.join(',') }).conditions).toEqual(expected);
    expect(SearchBody.parse({ [name]: MANY }).conditions).toEqual(expected);
    for (const ids of [LONG, `a,${LONG}`]) {
      expect(SearchBody.safeParse({ [name]: ids }).error?.issues).toMatchObject([{ path: [name] }]);
      expect(SearchQuery.safeParse({ [name]: ids }).error?.issues).toMatchObject([{ path: [name] }]);
    }
    expect(SearchBody.safeParse({ [name]: ['a', LONG] }).error?.issues).toMatchObject([{ path: [name] }]);
  },
);

it.each(['ids', 'collections'] as const)('%s: a comma before _ is part of an id; other commas separate ids', (name) => {
  const expected = { [name]: ['assam_cachar', 'rajasthan_dungarpur_aspur,_north', 'bihar'] };
  const joined = 'assam_cachar,rajasthan_dungarpur_aspur,_north, bihar';
  expect(SearchQuery.parse({ [name]: joined }).conditions).toEqual(expected);
  expect(SearchBody.parse({ [name]: joined }).conditions).toEqual(expected);
});
