import { expect, it } from 'vitest';
import { looseRadiometry, metadataRadiometry } from './radiometry.ts';

it.each([
  ['03.01', 0],
  ['04.00', -1000],
  ['05.10', -1000],
])('baseline %s has an offset of %d, in metadata without offsets, in names, and given', (baseline, offset) => {
  const metadata = { isL2A: true, offsets: new Map<string, number>(), baseline };
  expect(metadataRadiometry(metadata)).toEqual({ basis: 'metadata', baseline, scale: 0.0001, offset });
  expect(looseRadiometry({ baseline }, {})).toEqual({ basis: 'name', baseline, scale: 0.0001, offset });
  expect(looseRadiometry({}, { baseline })).toEqual({ basis: 'given', baseline, scale: 0.0001, offset });
});

it('takes the quantification of metadata, and offsets of bands before the baseline', () => {
  const offsets = new Map([['B04', -500]]);
  const metadata = { isL2A: true, offsets, baseline: '05.10', quantification: 1000 };
  expect(metadataRadiometry(metadata)).toEqual({ basis: 'metadata', baseline: '05.10', scale: 0.001, offset: offsets });
  expect(metadataRadiometry({ isL2A: true, offsets: new Map() })).toBeUndefined();
});

it('states no offset of files without a baseline: none before 25 January 2022, unknown since', () => {
  const basisOn = (day: string) => looseRadiometry({ day }, {});
  expect(basisOn('2022-01-24')).toEqual({ basis: 'day', scale: 0.0001 });
  expect(basisOn('2022-01-25')).toEqual({ basis: 'unknown', scale: 0.0001 });
  expect(looseRadiometry({ day: '2022-01-24', baseline: '05.00' }, { offset: 0 })).toMatchObject({ offset: 0 });
});
