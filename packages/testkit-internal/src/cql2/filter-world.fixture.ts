import type { Cql2Access, Cql2Geometry, Cql2SqlTarget } from '@headwater/cql2';
import type { Vocabulary } from '@headwater/cql2/testing';
import fc from 'fast-check';
import { DRAWN } from './drawn-shapes.fixture.ts';

/** Row of the test table; other properties are in `props`. */
export interface FilterRow {
  readonly id: number;
  readonly name: string | null;
  readonly size: number | null;
  readonly count: number | null;
  readonly wet: boolean | null;
  readonly start: string | null;
  readonly geometry: Cql2Geometry | null;
  readonly props: Readonly<Record<string, unknown>>;
}

export const TABLE = `create table filter_rows (id int primary key, name text, size float8, count int, wet boolean,
  start timestamptz, geom geometry(Geometry, 4326), props jsonb not null)`;

export const INSERT = `insert into filter_rows values ($1, $2, $3, $4, $5, $6,
  st_setsrid(st_geomfromgeojson($7::text), 4326), $8::jsonb)`;

const JSON_NAMES = ['j:text', 'j:number', 'j:mixed', 'j:other', 'with "marks"', "it's"];
const TEXTS = [
  '',
  'a',
  'A',
  'Straße',
  'STRASSE',
  'strasse',
  'Οδος',
  'ΟΔΟΣ',
  'débárquér',
  'DEBARQUER',
  'नदी',
  '𝒳',
  '\uffee',
  '🙂',
  '%',
  'a\nb',
  "'; --",
  'a\\b',
];
const INSTANT_TEXTS = [
  '2020-01-31T10:00:00Z',
  '2020-01-31',
  '2020-01-31T10:00:00.1234567Z',
  '2020-02-30',
  '0000-01-01',
  '2020-01-31T24:00:00Z',
  '2020-01-31T10:00:00+05:30',
  '2020-01-31T10:00:00-00:00',
  '2020-01-31T15:30:00.123+05:30',
  '2020-01-31T00:00:00.1234567-09:45',
  '2020-01-31T10:00:00+15:59',
  '2020-01-31T10:00:00+16:00',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-15:00',
  '0001-01-01T00:00:00+00:00',
  '1900-02-29',
  '2000-02-29',
];
const TIMES = [
  '2020-01-31T10:00:00Z',
  '2020-01-31T04:30:00Z',
  '2020-01-31T10:00:00.123Z',
  '2020-01-31T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2000-02-29T12:00:00Z',
];
const NUMBERS = [0, 1, -1, 2, 2.5, 0.1, 1e-310, 1e160, -1e299, 1e301, 9007199254740992];

/** Doubles express these coordinates exactly, so no library rounds. */
const longitude = fc.integer({ min: -8, max: 8 }).map((number) => number / 4);
const position = fc.tuple(longitude, longitude).map((pair): number[] => [...pair]);
const box = fc
  .tuple(position, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .map(([[x = 0, y = 0], width, height]) => {
    const [east, north] = [x + width / 4, y + height / 4];
    return [
      [x, y],
      [east, y],
      [east, north],
      [x, north],
      [x, y],
    ];
  });
const triangle = fc
  .tuple(position, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
  .map(([[x = 0, y = 0], width, height]) => [
    [x, y],
    [x + width / 4, y + 0.25],
    [x + 0.25, y + 0.25 + height / 4],
    [x, y],
  ]);
const line = fc.uniqueArray(position, { minLength: 2, maxLength: 5, selector: String });
const frame = position.map(([x = 0, y = 0]) => [
  [
    [x, y],
    [x + 2, y],
    [x + 2, y + 2],
    [x, y + 2],
    [x, y],
  ],
  [
    [x + 0.5, y + 0.5],
    [x + 1.5, y + 0.5],
    [x + 1.5, y + 1.5],
    [x + 0.5, y + 1.5],
    [x + 0.5, y + 0.5],
  ],
]);

const simple: fc.Arbitrary<Cql2Geometry> = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({ type: fc.constant('LineString'), coordinates: line }),
  fc.record({ type: fc.constant('Polygon'), coordinates: fc.oneof(fc.tuple(box), fc.tuple(triangle), frame) }),
  fc.record({ type: fc.constant('MultiPoint'), coordinates: fc.array(position, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('MultiLineString'), coordinates: fc.array(line, { minLength: 1, maxLength: 2 }) }),
  fc.record({
    type: fc.constant('MultiPolygon'),
    coordinates: fc
      .tuple(box, fc.boolean())
      .map(([ring, isAlone]) => (isAlone ? [[ring]] : [[ring], [ring.map(([x = 0, y = 0]) => [x + 20, y])]])),
  }),
);
const ACROSS: readonly Cql2Geometry[] = [
  {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [179, -1],
          [180, -1],
          [180, 1],
          [179, 1],
          [179, -1],
        ],
      ],
      [
        [
          [-180, -1],
          [-179, -1],
          [-179, 1],
          [-180, 1],
          [-180, -1],
        ],
      ],
    ],
  },
  { type: 'Point', coordinates: [-180, 0] },
  { type: 'Point', coordinates: [180, 0] },
];
const geometries = fc.oneof({ weight: 4, arbitrary: simple }, { weight: 1, arbitrary: fc.constantFrom(...ACROSS) });

const orNull = <Value>(values: readonly Value[]): fc.Arbitrary<Value | null> =>
  fc.option(fc.constantFrom(...values), { freq: 5 });
const json = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...INSTANT_TEXTS, ...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [1], { a: null }),
);

/** Rows with nulls, mixed types and texts in several writing systems. */
export const anyRow: fc.Arbitrary<Omit<FilterRow, 'id'>> = fc.record({
  name: orNull([...TEXTS, ...INSTANT_TEXTS]),
  size: orNull([0, 1, -1, 2.5, 1e160, 1e-160]),
  count: orNull([0, 1, -1, 2]),
  wet: orNull([true, false]),
  start: orNull(TIMES),
  geometry: fc.option(geometries, { freq: 8 }),
  props: fc.dictionary(fc.constantFrom(...JSON_NAMES), json, { maxKeys: 6, noNullPrototype: true }),
});

/** Names and values for the filters of a test run; `seed` determines geometries. */
export function vocabularyOf(seed: number): Vocabulary {
  return {
    names: ['name', 'size', 'count', 'wet', 'start', 'geometry', 'absent', ...JSON_NAMES],
    texts: [...TEXTS, ...INSTANT_TEXTS],
    patterns: [
      '%',
      '_',
      'a%',
      '%A%',
      'stra%',
      'STRASS_',
      '%\\%%',
      '%\\\\%',
      '_\n_',
      '%e%e%',
      '',
      '🙂',
      '__',
      '2020-%Z',
    ],
    numbers: NUMBERS,
    timestamps: [...TIMES, '2020-01-31T10:00:00.123456789Z'],
    dates: ['2020-01-31', '2000-02-29'],
    geometries: [
      ...fc.sample(geometries, { seed, numRuns: 40 }),
      { type: 'GeometryCollection', geometries: fc.sample(simple, { seed: seed + 1, numRuns: 3 }) },
      ...DRAWN,
      { bbox: [-1, -1, 1, 1] },
      { bbox: [0.25, 0.25, -50, 1, 1, 50] },
      { bbox: [179.5, -10, -179.5, 10] },
      { bbox: [170, -0.5, -180, 0.5] },
      { bbox: [0.5, 0.5, 0.5, 0.5] },
      { bbox: [0.5, -1, 0.5, 1] },
      { bbox: [-180, -90, 180, 90] },
    ],
  };
}

/** Reads properties of rows, with the types that PostgreSQL returns (an instant is a `Date`). */
export const ACCESS: Cql2Access<FilterRow> = {
  geometry: ({ geometry }) => geometry,
  property: (row, name) => {
    if (name === 'name' || name === 'size' || name === 'count' || name === 'wet') return row[name];
    if (name === 'start') return row.start === null ? null : new Date(row.start);
    return Object.hasOwn(row.props, name) ? row.props[name] : undefined;
  },
};

/** Columns of the table for the SQL of a filter. */
export function tableTarget(param: Cql2SqlTarget['param']): Cql2SqlTarget {
  return {
    param,
    queryable: (name) => {
      if (name === 'name') return { sql: 'name', kind: 'text' };
      if (name === 'size' || name === 'count') return { sql: name, kind: 'number' };
      if (name === 'wet') return { sql: 'wet', kind: 'boolean' };
      if (name === 'start') return { sql: 'start', kind: 'timestamp' };
      if (name === 'geometry') return { sql: 'geom', kind: 'geometry' };
      return JSON_NAMES.includes(name) ? { sql: `(props -> ${param(name)}::text)`, kind: 'json' } : undefined;
    },
  };
}
