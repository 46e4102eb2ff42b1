import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareInstants, instant, isUtcText, parseInstant, toUtc } from './instant.ts';

describe('instants', () => {
  it('are UTC texts of existing times, written with Z', () => {
    expect(parseInstant('2024-07-01T00:00:00+00:00')).toBe('2024-07-01T00:00:00Z');
    expect(instant(new Date('2024-07-01T00:00:00Z'))).toBe('2024-07-01T00:00:00Z');
    expect(instant(new Date('2024-07-01T00:00:00.250Z'))).toBe('2024-07-01T00:00:00.250Z');
    expect(isUtcText('2024-02-29T23:59:59.123456789Z')).toBe(true);
  });

  it.each([
    '2024-07-01',
    '2024-07-01T00:00:00',
    '2024-07-01T00:00:00+05:30',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-06-31T00:00:00Z',
    '2024-07-01T24:00:00Z',
    '2024-06-30T22:59:60Z',
    '2024-06-30T23:59:61Z',
    ' 2024-07-01T00:00:00Z',
  ])('are not created from %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
    expect(() => instant(text)).toThrow('not a UTC time');
  });

  it('are parsed from leap seconds and long fractions, and written without them', () => {
    expect(parseInstant('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:59.999999999Z');
    expect(parseInstant('2016-12-31T20:00:00.1234567891234+00:00')).toBe('2016-12-31T20:00:00.123456789Z');
    expect(toUtc('2017-01-01T05:29:60.5+05:30')).toBe('2016-12-31T23:59:59.999999999Z');
    expect(toUtc('2017-01-01t05:30:00.1234567891234+05:30')).toBe('2017-01-01T00:00:00.123456789Z');
    expect(toUtc('2017-01-01T05:30:60+05:30')).toBeUndefined();
    expect(compareInstants('2016-12-31T23:59:60Z', '2016-12-31T23:59:59.9Z')).toBe(1);
    expect(compareInstants('2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z')).toBe(-1);
    expect(compareInstants('2016-12-31T23:59:00.1234567891Z', '2016-12-31T23:59:00.1234567899Z')).toBe(0);
  });

  it('are not created from an invalid Date', () => {
    expect(() => instant(new Date(NaN))).toThrow('not a UTC time');
  });

  it('round-trip through Date, and sort by time', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, dates, (a, b) => {
        expect(Date.parse(instant(a))).toBe(a.getTime());
        expect(Math.sign(compareInstants(instant(a), instant(b)))).toBe(Math.sign(a.getTime() - b.getTime()));
      }),
    );
  });

  it('are compared exactly, also below a millisecond', () => {
    expect(compareInstants('2024-07-01T00:00:00.0001Z', '2024-07-01T00:00:00Z')).toBe(1);
    expect(compareInstants('2024-07-01T00:00:00.100Z', '2024-07-01T00:00:00.1+00:00')).toBe(0);
  });
});
