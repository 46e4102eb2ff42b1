import { expect, test } from 'vitest';
import { ofRun } from '../wire/addresses.ts';
import { conditionStatus, rangeApplies } from './conditions.ts';

const FILE = { etag: 'a1', modified: new Date('2026-03-04T05:06:07.890Z') };
const SAME = 'Wed, 04 Mar 2026 05:06:07 GMT';
const BEFORE = 'Wed, 04 Mar 2026 05:06:06 GMT';

test.each([
  ['no condition', {}, undefined],
  ['another ETag expected', { 'if-match': '"b"' }, 412],
  ['one of several ETags', { 'if-match': '"b", "a1"' }, undefined],
  ['a weak ETag never matches strongly', { 'if-match': 'W/"a1"' }, 412],
  ['any version', { 'if-match': '*' }, undefined],
  ['an empty list', { 'if-match': '' }, 412],
  ['unmodified', { 'if-unmodified-since': SAME }, undefined],
  ['modified', { 'if-unmodified-since': BEFORE }, 412],
  ['an invalid date is ignored', { 'if-unmodified-since': 'yesterday' }, undefined],
  ['the ETag takes precedence over the date', { 'if-match': '"a1"', 'if-unmodified-since': BEFORE }, undefined],
  ['412 before 304', { 'if-match': '"b"', 'if-none-match': '"a1"' }, 412],
  ['cached by the client, compared weakly', { 'if-none-match': 'W/"a1"' }, 304],
  ['cached by the client, compared by date', { 'if-modified-since': SAME }, 304],
  ['a date after the modification does not match', { 'if-modified-since': 'Wed, 04 Mar 2026 05:06:08 GMT' }, undefined],
  ['cached by the client, a date in the old form', { 'if-modified-since': 'Wed Mar  4 05:06:07 2026' }, 304],
  ['outdated, a date in the old form', { 'if-modified-since': 'Wed Mar  4 05:06:06 2026' }, undefined],
  [
    'a different ETag takes precedence over an equal date',
    { 'if-none-match': '"b"', 'if-modified-since': SAME },
    undefined,
  ],
  ['repeated headers count as one list', { 'if-none-match': ['"b"', '"a1"'] }, 304],
] as const)('conditionStatus: %s', (_name, headers, status) => {
  expect(conditionStatus(FILE, headers)).toBe(status);
});

test.each([
  ['no condition', {}, [true, true]],
  ['the ETag of the file', { 'if-range': '"a1"' }, [true, true]],
  ['another ETag', { 'if-range': '"b"' }, [false, false]],
  ['a weak ETag', { 'if-range': 'W/"a1"' }, [false, false]],
  ['the date of the file, which counts only if the file cannot change', { 'if-range': SAME }, [true, false]],
  ['another date', { 'if-range': BEFORE }, [false, false]],
  ['an invalid date', { 'if-range': 'yesterday' }, [false, false]],
] as const)('a range with %s', (_name, headers, expected) => {
  expect([true, false].map((isLasting) => rangeApplies(FILE, isLasting, headers))).toEqual(expected);
});

test('ofRun adds the run to addresses of the map server of this service only', () => {
  const base = 'https://example.org/geo';
  expect(ofRun(`${base}/geoserver/ws/wcs?a=b`, 'r1', base)).toBe(`${base}/geoserver/ws/wcs?a=b&run=r1`);
  for (const other of [`${base}/api/v1/assets/r/1/a.tif`, 'https://maps.example.org/geoserver/ws/wcs?a=b', base])
    expect(ofRun(other, 'r1', base)).toBe(other);
});
