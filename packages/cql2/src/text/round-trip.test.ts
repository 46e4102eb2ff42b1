import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { parseCql2Json, parseCql2Text, propertiesOf, writeCql2Text } from '../index.ts';
import { anyExpression } from '../testing/index.ts';

const SEED = 20_261_122;
const words = [
  'a',
  'eo:cloud_cover',
  'not',
  'NULL',
  'Date',
  'point',
  'two words',
  'with "marks"',
  "it's",
  'नाम',
  '𝒳',
  '-',
  '1a',
  'a.b',
  'é',
];
const VOCABULARY = {
  names: words,
  texts: [...words, '', "'", "''", '\\', '\n', '%', '--', ';', '🙂', '"', "' OR TRUE"],
  patterns: ['%', '_', 'a%', "'%", '\\%', '\\\\', '', '🙂_'],
  numbers: [0, 1, -1, 0.1, -2.5, 1e21, 1e-7, 123456789.123, Number.MAX_VALUE, Number.MIN_VALUE],
  timestamps: ['2020-01-31T10:00:00Z', '2020-02-29T23:59:59.123456789Z', '0001-01-01T00:00:00+00:00'],
  dates: ['2020-02-29', '9999-12-31'],
  geometries: [
    { type: 'Point', coordinates: [-1.5, 2e-7] },
    { type: 'Point', coordinates: [1, 2, 3] },
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [-3, -4],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
          [9, 10],
        ],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    },
    {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [0, 0],
            [4, 0],
            [4, 4],
            [0, 0],
          ],
        ],
        [
          [
            [5, 5],
            [6, 5],
            [6, 6],
            [5, 5],
          ],
        ],
      ],
    },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    { bbox: [170, -10, -170, 10] },
    { bbox: [0, 0, -100, 10, 10, 8000] },
  ],
} as const;

test(`parsing a written filter gives the same tree, for text and for JSON, seed ${SEED}`, () => {
  fc.assert(
    fc.property(anyExpression(VOCABULARY), (expression) => {
      const text = writeCql2Text(expression);
      expect(parseCql2Text(text)).toEqual(expression);
      expect(writeCql2Text(parseCql2Text(text))).toBe(text);
      expect(parseCql2Json(JSON.parse(JSON.stringify(expression)))).toEqual(expression);
    }),
    { seed: SEED, numRuns: sized(300, 2_000) },
  );
});

test('each text is parsed or refused with Cql2Error, without other errors', () => {
  const pieces = fc.constantFrom(
    'a',
    '(',
    ')',
    ' ',
    "'",
    '"',
    '1',
    '-',
    'AND ',
    'NOT ',
    'IN ',
    ',',
    'POINT',
    'INTERVAL',
    '<',
    '=',
    '\ud800',
    '\\',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          parseCql2Text(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Cql2Error', details: { pointer: null } });
        }
      },
    ),
    { seed: SEED, numRuns: sized(500, 5_000) },
  );
});

test('each JSON value is parsed or refused with Cql2Error, without other errors', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.constantFrom('and', '=', 'in', 'like', 's_intersects', 't_after', 'casei'),
      (value, op) => {
        for (const whole of [value, { op, args: value }, { op, args: [value, value] }]) {
          try {
            parseCql2Json(whole);
          } catch (error) {
            expect(error).toMatchObject({ name: 'Cql2Error', details: { position: null } });
          }
        }
      },
    ),
    { seed: SEED, numRuns: sized(500, 3_000) },
  );
});

test('propertiesOf lists each property once, in the order of use', () => {
  const text =
    "b = 1 AND a > b + c AND T_AFTER(INTERVAL(d, '..'), e) AND S_INTERSECTS(geometry, POINT(1 2)) AND CASEI(f) IN (g, 'x')";
  expect(propertiesOf(parseCql2Text(text))).toEqual(['b', 'a', 'c', 'd', 'e', 'geometry', 'f', 'g']);
  expect(propertiesOf(true)).toEqual([]);
});
