import { expect, it } from 'vitest';
import { looseRadiometry, metadataRadiometry } from './radiometry.ts';

it.each([
  ['03.01', 0],
  ['04.00', -1000],
  ['05.10', -1000],
])(
  'baseline %s means offset %d if it comes from metadata without offsets, from a name, or from the user',
  (baseline, offset) => {
    const metadata = { isL2A: true, offsets: new Map<string, number>(), baseline };
    expect(metadataRadiometry(metadata)).toEqual({ basis: 'metadata', baseline, scale: 0.0001, offset });
    expect(looseRadiometry({ baseline }, {})).toEqual({ basis: 'name', baseline, scale: 0.0001, offset });
    expect(looseRadiometry({}, { baseline })).toEqual({ basis: 'given', baseline, scale: 0.0001, offset });
  },
);

it('uses the quantification in metadata, and prefers offsets of bands to the offset of the baseline', () => {
  const offsets = new Map([['B04', -500]]);
  const metadata = { isL2A: true, offsets, baseline: '05.10', quantification: 1000 };
  expect(metadataRadiometry(metadata)).toEqual({ basis: 'metadata', baseline: '05.10', scale: 0.001, offset: offsets });
  expect(metadataRadiometry({ isL2A: true, offsets: new Map() })).toBeUndefined();
});

it('states no offset for files without a baseline; the basis is `day` before 25 January 2022, and `unknown` since then', () => {
  const basisOn = (day: string) => looseRadiometry({ day }, {});
  expect(basisOn('2022-01-24')).toEqual({ basis: 'day', scale: 0.0001 });
  expect(basisOn('2022-01-25')).toEqual({ basis: 'unknown', scale: 0.0001 });
  expect(looseRadiometry({ day: '2022-01-24', baseline: '05.00' }, { offset: 0 })).toMatchObject({ offset: 0 });
});
