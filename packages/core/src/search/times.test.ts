import { expect, it } from 'vitest';
import { millisecondsOf } from './times.ts';

it('reads a text without a zone as UTC, in a process with another zone', () => {
  // In the time zone UTC this test could never fail.
  expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
  const time = Date.UTC(2026, 2, 4, 5, 6, 7);
  for (const text of [
    '2026-03-04T05:06:07',
    '2026-03-04T05:06:07Z',
    '2026-03-04T10:36:07+05:30',
    '2026-03-04 05:06:07',
  ])
    expect([text, millisecondsOf(text)]).toEqual([text, time]);
  expect(millisecondsOf('2026-03-04T05:06')).toBe(Date.UTC(2026, 2, 4, 5, 6));
  expect(millisecondsOf('2026-03-04')).toBe(Date.UTC(2026, 2, 4));
  for (const text of ['', 'Z', 'soon', 'undefined']) expect(millisecondsOf(text)).toBeNaN();
});
