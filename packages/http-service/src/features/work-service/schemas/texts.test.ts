import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters } from './parameters.ts';
import { booleanOf, numberOf, unquoted, yearOf } from './texts.ts';

describe('values from orchestrators', () => {
  it.each<[unknown, number | undefined]>([
    [2021, 2021],
    [2021.0, 2021],
    ['2021', 2021],
    [' "2021" ', 2021],
    ["'2021.0'", 2021],
    ['2021-2022', 2021],
    ['2021-22', 2021],
    ['1999-00', 1999],
    ['2021_2022', 2021],
    ['2021-2023', undefined],
    ['2021-21', undefined],
    ['2021.5', undefined],
    [2021.5, undefined],
    ['2e3', undefined],
    ['0x7e5', undefined],
    ['２０２１', undefined],
    ['', undefined],
    [null, undefined],
    [[2021], undefined],
    [Number.MAX_VALUE, undefined],
    ['2'.repeat(1000), undefined],
  ])('%j is the year %s', (value, year) => expect(yearOf(value)).toBe(year));

  it('reads a number or its decimal text; other texts are undefined', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), (number) => {
        expect(numberOf(number)).toBe(number);
        const text = number.toFixed(6);
        expect(numberOf(text)).toBe(Number(text));
        expect(numberOf(`"${text}"`)).toBe(Number(text));
      }),
    );
    for (const text of ['', ' ', 'NaN', 'Infinity', '1e400x', '0x10', '1,5', '1_0', '--1', '+', '.', '1e'])
      expect(numberOf(text)).toBeUndefined();
  });

  it('reads true and false in upper or lower case, but not similar words', () => {
    expect([true, 'True', ' "TRUE" ', 1, '1'].map(booleanOf)).toEqual([true, true, true, true, true]);
    expect([false, 'False', '0', 0].map(booleanOf)).toEqual([false, false, false, false]);
    expect(['yes', 2, null, undefined, {}, [], ''].map(booleanOf)).toEqual(Array(7).fill(undefined));
  });

  it('removes quotes only if the text begins and ends with the same quote', () => {
    expect(['"a"', "'a'", ' a ', '"a', '\'a"', '""'].map(unquoted)).toEqual(['a', 'a', 'a', '"a', '\'a"', '']);
  });

  it('reads a region from all its forms', () => {
    const corner = fc.integer({ min: -79_000_000, max: 79_000_000 }).map((whole) => whole / 1e6);
    fc.assert(
      fc.property(fc.tuple(corner, corner, corner, corner), (corners) => {
        const [west, south, east, north] = corners;
        const forms = [
          { region: corners },
          { region: corners.map(String) },
          { region: JSON.stringify(corners) },
          { region: JSON.stringify(corners.map(String)) },
          { region: `(${corners.join(', ')})` },
          { region: corners.join(',') },
          { west, south, east: String(east), north },
        ];
        for (const form of forms) expect(readParameters({ ...form, year: 2021 }).corners).toEqual(corners);
      }),
    );
  });

  it('reads each value, or refuses it with a validation error', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('region', 'year', 'end_year', 'west', 'base_scheme'), fc.anything()),
        (members) => {
          try {
            expect(readParameters(members).corners).toHaveLength(4);
          } catch (error) {
            expect(error).toMatchObject({ code: 'validation' });
          }
        },
      ),
    );
  });
});
