import { expect, it } from 'vitest';
import { processingOf } from './processing.ts';

const PRODUCT = 'S2A_MSIL2A_20200219T112111_N0214_R037_T29RKH_20200219T123947.SAFE';

it.each([
  [{ 's2:processing_baseline': '05.10' }, { baseline: '05.10' }],
  [{ 'processing:version': '04.00' }, { baseline: '04.00' }],
  [{ 's2:product_uri': PRODUCT }, { baseline: '02.14' }],
  [{ 's2:processing_baseline': 'new', 's2:product_uri': PRODUCT }, { baseline: '02.14' }],
  [
    { 's2:generation_time': '2020-02-19T12:39:47.000000Z', created: '2024-01-01T00:00:00Z' },
    { at: '2020-02-19T12:39:47.000Z' },
  ],
  [{ 's2:generation_time': 'yesterday', created: '2024-01-01T00:00:00Z' }, { at: '2024-01-01T00:00:00.000Z' }],
  [{}, {}],
])('reads the version of the processing from %j', (properties, expected) => {
  expect(processingOf('S2A_29RKH_20200219_0_L2A', properties)).toEqual(expected);
});

it('reads the baseline from an id that is the name of the product', () =>
  expect(processingOf(PRODUCT, {})).toEqual({ baseline: '02.14' }));
