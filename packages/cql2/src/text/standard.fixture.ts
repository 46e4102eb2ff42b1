import { type BothForms, CLAUSES, p } from './standard-clauses.fixture.ts';

const STARTS_TO_ENDS = { interval: [p('starts_at'), p('ends_at')] } as const;
const OCTOBER_91 = '1991-10-07T08:21:06.393262Z';
const FEBRUARY_10 = '2010-02-10T05:29:20.073225Z';

/** Examples of OGC 21-065 for the supported operators: clauses 6 and 7, and examples 1 to 86. */
export const STANDARD: readonly BothForms[] = [
  ...CLAUSES,
  {
    name: '1',
    text: "landsat:scene_id = 'LC82030282019133LGN00'",
    json: { op: '=', args: [p('landsat:scene_id'), 'LC82030282019133LGN00'] },
  },
  {
    name: '4',
    text: 'eo:cloud_cover < 0.1 AND landsat:wrs_row=28 AND landsat:wrs_path=203',
    json: {
      op: 'and',
      args: [
        { op: '<', args: [p('eo:cloud_cover'), 0.1] },
        { op: '=', args: [p('landsat:wrs_row'), 28] },
        { op: '=', args: [p('landsat:wrs_path'), 203] },
      ],
    },
  },
  {
    name: '6a',
    text: 'eo:cloud_cover BETWEEN 0.1 AND 0.2 AND landsat:wrs_row=28',
    json: {
      op: 'and',
      args: [
        { op: 'between', args: [p('eo:cloud_cover'), 0.1, 0.2] },
        { op: '=', args: [p('landsat:wrs_row'), 28] },
      ],
    },
  },
  {
    name: '13',
    text: "owner NOT LIKE '%Mike%'",
    json: { op: 'not', args: [{ op: 'like', args: [p('owner'), '%Mike%'] }] },
  },
  {
    name: '16',
    text: "swimming_pool=true AND (floors>5 OR material LIKE 'brick%' OR material LIKE '%brick')",
    json: {
      op: 'and',
      args: [
        { op: '=', args: [p('swimming_pool'), true] },
        {
          op: 'or',
          args: [
            { op: '>', args: [p('floors'), 5] },
            { op: 'like', args: [p('material'), 'brick%'] },
            { op: 'like', args: [p('material'), '%brick'] },
          ],
        },
      ],
    },
  },
  {
    name: '17',
    text: "(floors>5 AND material='brick') OR swimming_pool=true",
    json: {
      op: 'or',
      args: [
        {
          op: 'and',
          args: [
            { op: '>', args: [p('floors'), 5] },
            { op: '=', args: [p('material'), 'brick'] },
          ],
        },
        { op: '=', args: [p('swimming_pool'), true] },
      ],
    },
  },
  {
    name: '18',
    text: 'NOT (floors<5) OR swimming_pool=true',
    json: {
      op: 'or',
      args: [
        { op: 'not', args: [{ op: '<', args: [p('floors'), 5] }] },
        { op: '=', args: [p('swimming_pool'), true] },
      ],
    },
  },
  {
    name: '20',
    text: "T_BEFORE(built, DATE('2015-01-01'))",
    json: { op: 't_before', args: [p('built'), { date: '2015-01-01' }] },
  },
  {
    name: '24',
    text: 'S_INTERSECTS(geometry,POLYGON((-10.0 -10.0,10.0 -10.0,10.0 10.0,-10.0 -10.0)))',
    json: {
      op: 's_intersects',
      args: [
        p('geometry'),
        {
          type: 'Polygon',
          coordinates: [
            [
              [-10, -10],
              [10, -10],
              [10, 10],
              [-10, -10],
            ],
          ],
        },
      ],
    },
  },
  {
    name: '28',
    text: "CASEI(geophys:SURVEY_NAME) LIKE CASEI('%calcutta%')",
    json: {
      op: 'like',
      args: [
        { op: 'casei', args: [p('geophys:SURVEY_NAME')] },
        { op: 'casei', args: ['%calcutta%'] },
      ],
    },
  },
  { name: '30', text: '"id" <> \'fa7e1920\'', json: { op: '<>', args: [p('id'), 'fa7e1920'] } },
  {
    name: '38',
    text: 'NOT "value" BETWEEN 10 AND 20',
    json: { op: 'not', args: [{ op: 'between', args: [p('value'), 10, 20] }] },
  },
  {
    name: '43',
    text: '(NOT "name" LIKE \'foo%\' AND "value" > 10)',
    json: {
      op: 'and',
      args: [
        { op: 'not', args: [{ op: 'like', args: [p('name'), 'foo%'] }] },
        { op: '>', args: [p('value'), 10] },
      ],
    },
  },
  {
    name: '45',
    text: 'S_INTERSECTS("geometry", BBOX(-128.098193, -1.1, -99999.0, 180.0, 90.0, 100000.0))',
    json: { op: 's_intersects', args: [p('geometry'), { bbox: [-128.098193, -1.1, -99999, 180, 90, 100000] }] },
  },
  {
    name: '47',
    text: 'S_DISJOINT("geometry", MULTIPOLYGON (((144.022387 45.176126, -1.1 0.0, 180.0 47.808086, 144.022387 45.176126))))',
    json: {
      op: 's_disjoint',
      args: [
        p('geometry'),
        {
          type: 'MultiPolygon',
          coordinates: [
            [
              [
                [144.022387, 45.176126],
                [-1.1, 0],
                [180, 47.808086],
                [144.022387, 45.176126],
              ],
            ],
          ],
        },
      ],
    },
  },
  {
    name: '53',
    text: 'T_AFTER("updated_at", DATE(\'2010-02-10\'))',
    json: { op: 't_after', args: [p('updated_at'), { date: '2010-02-10' }] },
  },
  {
    name: '56',
    text: "T_DISJOINT(INTERVAL('..', '2005-01-10T01:01:01.393216Z'), INTERVAL(starts_at, ends_at))",
    json: { op: 't_disjoint', args: [{ interval: ['..', '2005-01-10T01:01:01.393216Z'] }, STARTS_TO_ENDS] },
  },
  {
    name: '57',
    text: "T_DURING(INTERVAL(starts_at, ends_at), INTERVAL('2005-01-10', '2010-02-10'))",
    json: { op: 't_during', args: [STARTS_TO_ENDS, { interval: ['2005-01-10', '2010-02-10'] }] },
  },
  {
    name: '59',
    text: `T_FINISHEDBY(INTERVAL(starts_at, ends_at), INTERVAL('${OCTOBER_91}', '${FEBRUARY_10}'))`,
    json: { op: 't_finishedBy', args: [STARTS_TO_ENDS, { interval: [OCTOBER_91, FEBRUARY_10] }] },
  },
  {
    name: '63',
    text: `T_METBY(INTERVAL('${FEBRUARY_10}', '2010-10-07'), INTERVAL(starts_at, ends_at))`,
    json: { op: 't_metBy', args: [{ interval: [FEBRUARY_10, '2010-10-07'] }, STARTS_TO_ENDS] },
  },
  {
    name: '64',
    text: `T_OVERLAPPEDBY(INTERVAL('${OCTOBER_91}', '${FEBRUARY_10}'), INTERVAL(starts_at, ends_at))`,
    json: { op: 't_overlappedBy', args: [{ interval: [OCTOBER_91, FEBRUARY_10] }, STARTS_TO_ENDS] },
  },
  {
    name: '66',
    text: `T_STARTEDBY(INTERVAL('${OCTOBER_91}', '${FEBRUARY_10}'), INTERVAL(starts_at, ends_at))`,
    json: { op: 't_startedBy', args: [{ interval: [OCTOBER_91, FEBRUARY_10] }, STARTS_TO_ENDS] },
  },
  {
    name: '67',
    text: `T_STARTS(INTERVAL(starts_at, ends_at), INTERVAL('${OCTOBER_91}', '..'))`,
    json: { op: 't_starts', args: [STARTS_TO_ENDS, { interval: [OCTOBER_91, '..'] }] },
  },
  {
    name: '72',
    text: '"value" > ("foo" + 10)',
    json: { op: '>', args: [p('value'), { op: '+', args: [p('foo'), 10] }] },
  },
  {
    name: '74',
    text: '"value" <> (22.1 * "foo")',
    json: { op: '<>', args: [p('value'), { op: '*', args: [22.1, p('foo')] }] },
  },
  {
    name: '75',
    text: '"value" = (2 / "foo")',
    json: { op: '=', args: [p('value'), { op: '/', args: [2, p('foo')] }] },
  },
  {
    name: '86',
    text: '"name" LIKE CASEI(\'FOO%\')',
    json: { op: 'like', args: [p('name'), { op: 'casei', args: ['FOO%'] }] },
  },
];

/** Examples of the standard with unsupported operators. */
export const UNSUPPORTED: readonly string[] = [
  'avg(windSpeed) < 4',
  "S_WITHIN(road,Buffer(geometry,10,'m'))",
  'S_CROSSES(road,POINT(1 2))',
  'S_TOUCHES("geometry", POINT(1 2))',
  'S_EQUALS(POINT(1 2), "geometry")',
  'S_WITHIN(location,BBOX(-118,33.8,-117.9,34))',
  'S_CONTAINS("geometry", POINT (-3.508362 -1.754181))',
  'S_OVERLAPS("geometry", BBOX(-179.912109, 1.9, 180.0, 16.897016))',
  '"value" <= (2 ^ "foo")',
  '0 = ("foo" % 2)',
  'Foo("geometry") = TRUE',
];

/** CQL2-Text filters that stac-api-validator 0.6.8 sends for an Item `x` of a collection `c`. */
export const VALIDATOR_TEXTS: readonly string[] = [
  'eo:cloud_cover >= 5 AND eo:cloud_cover < 10',
  'eo:cloud_cover > 50 OR eo:cloud_cover < 10',
  'eo:cloud_cover > 50 OR eo:cloud_cover < 10 OR (eo:cloud_cover IS NULL AND eo:cloud_cover IS NULL)',
  "id='x' AND collection='c'",
  "id='x' OR collection='c'",
  "NOT id='x'",
  ...['=', '<>', '<', '<=', '>', '>='].flatMap((op) => [
    `collection ${op} 'c'`,
    `eo:cloud_cover ${op} 10`,
    `datetime ${op} TIMESTAMP('2021-04-08T04:39:23Z')`,
  ]),
  'eo:cloud_cover BETWEEN 0 AND 50',
  'eo:cloud_cover NOT BETWEEN 0 AND 50',
  "mission LIKE 'sentinel%'",
  "mission NOT LIKE 'sentinel%'",
  "collection = 'c' AND eo:cloud_cover <= 10 AND datetime >= TIMESTAMP('2021-04-08T04:39:23Z') AND S_INTERSECTS(geometry, POLYGON((43.5845 -79.5442, 43.6079 -79.4893, 43.5677 -79.4632, 43.5845 -79.5442)))",
  'S_INTERSECTS(geometry,POLYGON((-77.0824 38.7886,-77.0189 38.7886,-77.0189 38.8351,-77.0824 38.8351,-77.0824 38.7886))) OR S_INTERSECTS(geometry,POLYGON((-79.0935 38.7886,-79.0290 38.7886,-79.0290 38.8351,-79.0935 38.8351,-79.0935 38.7886)))',
  "T_INTERSECTS(datetime, INTERVAL('2020-11-11T00:00:00Z', '2020-11-12T00:00:00Z'))",
];
