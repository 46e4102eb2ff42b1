import { describe, expect, it } from 'vitest';
import { storedAs } from './stored-pixels.ts';

const request = { fileName: 'in.tif' };
const classesOf = (...values: readonly number[]) =>
  values.map((value) => ({ value, name: `c${value}`, title: `Class ${value}`, color: '#112233' }));
const ALL = Array.from({ length: 256 }, (_, value) => value);

describe('the nodata value of stored pixels', () => {
  it.each([
    {
      title: 'the nodata value of the file',
      nodata: 7,
      classes: classesOf(0, 1),
      stored: { type: 'uint8', nodata: 7 },
    },
    { title: '0 if 0 is not a class', nodata: null, classes: classesOf(1, 2), stored: { type: 'uint8', nodata: 0 } },
    {
      title: 'another value if 0 is a class',
      nodata: null,
      classes: classesOf(0, 1),
      stored: { type: 'uint8', nodata: 255 },
    },
    {
      title: 'the only value that is not a class',
      nodata: null,
      classes: classesOf(...ALL.filter((value) => value !== 41)),
      stored: { nodata: 41 },
    },
    {
      title: 'outside of the 256 values if each of these values may be data',
      nodata: null,
      classes: undefined,
      stored: { type: 'int16', nodata: -32_768 },
    },
    {
      title: 'another value if no pixel of this type can have the nodata value of the file',
      nodata: -9999,
      classes: classesOf(0),
      stored: { type: 'uint8', nodata: 255 },
    },
  ])('is $title', ({ nodata, classes, stored }) => {
    expect(storedAs({ type: 'uint8', nodata }, { classes }, request)).toMatchObject(stored);
  });

  it('does not exist if all 256 values are classes, so the file is refused', () => {
    expect(() => storedAs({ type: 'uint8', nodata: null }, { classes: classesOf(...ALL) }, request)).toThrow(
      /all 256 values are classes, .*; remove a class\.$/,
    );
  });
});

it.each([
  ['int8', 'int16', undefined],
  ['int16', 'int16', undefined],
  ['uint16', 'float32', undefined],
  ['float32', 'float32', undefined],
  ['uint32', 'float32', expect.stringContaining('beyond 16,777,216')],
  ['int32', 'float32', expect.stringContaining('beyond 16,777,216')],
  ['float64', 'float32', expect.stringContaining('7 decimal')],
] as const)('stores %s as %s, and reports if values may be rounded', (own, type, rounding) => {
  const stored = storedAs({ type: own, nodata: null }, {}, request);
  expect([stored.type, stored.rounding]).toEqual([type, rounding]);
});
