import { parseCql2Text } from '@headwater/cql2';
import { expect } from 'vitest';
import { TIE_COLLECTION } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import type { StacClient } from './stac-api-client.ts';

const CLASS = 'http://www.opengis.net/spec/cql2/1.0/conf/';
const DATA = 'INTERVAL(start_datetime, end_datetime)';
const NEAR = 'POINT(90.05 25.05)';
const FAR = 'POINT(10 10)';

/**
 * Filters by conformance class of CQL2. Each number is the number of Items of `TIE_COLLECTION` that match the filter.
 * The gsd of these Items is 10, 20, 30, 40 and 50.
 */
const CLASSES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'cql2-text': { 'gsd = 20': 1 },
  'cql2-json': { 'gsd = 20': 1 },
  'basic-cql2': {
    'gsd <> 20 AND NOT gsd > 40': 3,
    'gsd < 20 OR gsd >= 50': 2,
    'nothing IS NULL AND gsd IS NOT NULL': 5,
    "datetime >= DATE('2025-02-03') AND datetime < TIMESTAMP('2025-02-03T04:05:07Z')": 5,
  },
  'advanced-comparison-operators': {
    "id LIKE '%_tie_a'": 1,
    "id NOT LIKE '%tie\\_tie%'": 5,
    "title LIKE '%100 \\% <b_'": 5,
    'gsd BETWEEN 20 AND 40': 3,
    'gsd NOT BETWEEN 20 AND 40': 2,
    'gsd IN (10, 50, 70)': 2,
    "id NOT IN ('x')": 5,
  },
  'property-property': {
    'start_datetime < end_datetime': 5,
    'gsd = gsd AND id <> collection': 5,
    '20 < gsd': 3,
    'gsd BETWEEN gsd AND gsd': 5,
  },
  'basic-spatial-functions': {
    [`S_INTERSECTS(geometry, ${NEAR})`]: 5,
    'S_INTERSECTS(geometry, BBOX(90.1, 25, 91, 26))': 5,
    [`S_INTERSECTS(geometry, ${FAR})`]: 0,
  },
  'basic-spatial-functions-plus': {
    'S_INTERSECTS(geometry, LINESTRING(89 24, 91 26))': 5,
    'S_INTERSECTS(geometry, POLYGON((90.04 25.04, 90.06 25.04, 90.05 25.06, 90.04 25.04)))': 5,
    'S_INTERSECTS(geometry, MULTIPOINT((10 10), (90.05 25.05)))': 5,
    'S_INTERSECTS(geometry, MULTILINESTRING((10 10, 11 11), (1 1, 2 2)))': 0,
    'S_INTERSECTS(geometry, MULTIPOLYGON(((1 1, 2 1, 2 2, 1 1)), ((90 25, 91 25, 91 26, 90 25))))': 5,
    [`S_INTERSECTS(geometry, GEOMETRYCOLLECTION(${FAR}, ${NEAR}))`]: 5,
    [`S_INTERSECTS(${NEAR}, geometry)`]: 5,
    'S_INTERSECTS(geometry, geometry)': 5,
  },
  // The Items cover July 2019 to June 2020.
  'temporal-functions': {
    "T_AFTER(datetime, DATE('2025-02-02'))": 5,
    "T_BEFORE(start_datetime, TIMESTAMP('2019-07-01T00:00:01Z'))": 5,
    [`T_CONTAINS(${DATA}, INTERVAL('2019-08-01','2019-09-01'))`]: 5,
    [`T_DISJOINT(${DATA}, INTERVAL('2020-07-01','..'))`]: 5,
    [`T_DURING(${DATA}, INTERVAL('2019-01-01','2020-12-31'))`]: 5,
    "T_EQUALS(start_datetime, TIMESTAMP('2019-07-01T00:00:00Z'))": 5,
    [`T_FINISHEDBY(${DATA}, INTERVAL('2020-01-01T00:00:00Z','2020-06-30T23:59:59Z'))`]: 5,
    [`T_FINISHES(${DATA}, INTERVAL('2019-01-01T00:00:00Z','2020-06-30T23:59:59Z'))`]: 5,
    [`T_INTERSECTS(${DATA}, INTERVAL('..','2019-07-01'))`]: 5,
    [`T_MEETS(${DATA}, INTERVAL('2020-06-30T23:59:59Z','2021-01-01T00:00:00Z'))`]: 5,
    [`T_METBY(${DATA}, INTERVAL('2019-01-01T00:00:00Z','2019-07-01T00:00:00Z'))`]: 5,
    [`T_OVERLAPPEDBY(${DATA}, INTERVAL('2019-01-01','2019-12-31'))`]: 5,
    [`T_OVERLAPS(${DATA}, INTERVAL('2020-01-01','2021-01-01'))`]: 5,
    [`T_STARTEDBY(${DATA}, INTERVAL('2019-07-01T00:00:00Z','2020-01-01T00:00:00Z'))`]: 5,
    [`T_STARTS(${DATA}, INTERVAL('2019-07-01T00:00:00Z','2021-01-01T00:00:00Z'))`]: 5,
  },
};

/** Test cases of the declared CQL2 classes, with filters as text and as JSON. */
export function stacClassCases(target: HttpTarget, { read, search, post }: StacClient): void {
  defineCase(target, 'declares exactly the CQL2 classes that are tested here', async () => {
    const { conformsTo } = await read<{ conformsTo: readonly string[] }>('conformance');
    const promised = conformsTo.filter((each) => each.startsWith(CLASS)).map((each) => each.slice(CLASS.length));
    expect(promised.toSorted()).toEqual(Object.keys(CLASSES).toSorted());
  });

  for (const [name, filters] of Object.entries(CLASSES))
    defineCase(target, `supports the CQL2 class ${name}`, async () => {
      const [asText, asJson] = [new Map<string, number>(), new Map<string, number>()];
      for (const filter of Object.keys(filters)) {
        asText.set(filter, (await search({ filter, collections: TIE_COLLECTION })).features.length);
        const json = { filter: parseCql2Text(filter), collections: [TIE_COLLECTION] };
        asJson.set(filter, (await post(json)).features.length);
      }
      expect(Object.fromEntries(asText)).toEqual(filters);
      expect(Object.fromEntries(asJson)).toEqual(filters);
    });
}
