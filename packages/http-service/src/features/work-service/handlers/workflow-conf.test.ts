import { invalidField, isDomainError, type RegionRuns } from '@headwater/core';
import { REGION_LIMITS } from '@headwater/core/places';
import { describe, expect, it } from 'vitest';
import { checkConf } from './export-asset.ts';

const regions: RegionRuns<unknown> = {
  scheme: 'squares',
  resolve: ({ startYear }) => {
    if (startYear < 2017) throw invalidField('startYear', `${startYear} is too early`);
    return {};
  },
};
const deps = {
  pipelines: [{ name: 'squares_of_tehsil', regions }, { name: 'rainfall' }],
  workService: REGION_LIMITS,
  clock: { now: () => new Date('2026-01-01T00:00:00Z') },
};

function faultsOf(conf: Readonly<Record<string, unknown>>, of: Parameters<typeof checkConf>[1] = deps): unknown {
  try {
    checkConf(conf, of);
    return undefined;
  } catch (error) {
    if (isDomainError(error)) return Object.keys(error.fields);
    throw error;
  }
}

describe('the conf of a workflow', () => {
  it.each([
    [{ region: [999, 0, 1000, 1] }, 'region'],
    [{ region: [77, 20, 79, 22] }, 'region'],
    [{ west: 77, south: 20, east: 76, north: 21 }, 'region'],
    [{ year: 1800 }, 'year'],
    [{ start_year: '1800-1801', end_year: 2021 }, 'start_year'],
    [{ base_scheme: 'nope' }, 'base_scheme'],
    [{ year: 1800, pipeline: 'squares_of_tehsil' }, 'year'],
  ])('%j is refused with the name of the member', (conf, name) => {
    expect(faultsOf(conf)).toEqual([name]);
  });

  it.each([
    {},
    { region: null, year: null, base_scheme: null },
    { region: [77, 20, 77.1, 20.1], year: '2021', base_scheme: 'Squares', further: { kept: [1, null] } },
    { year: 1990, pipeline: 'rainfall' },
    { anything: 'else' },
  ])('%j is accepted', (conf) => {
    expect(faultsOf(conf)).toBeUndefined();
  });

  it('does not check schemes and years if no pipeline computes regions', () => {
    const none = { ...deps, pipelines: [{ name: 'rainfall' }] };
    expect(faultsOf({ year: 1800, base_scheme: 'theirs' }, none)).toBeUndefined();
    expect(faultsOf({ region: [999, 0, 1000, 1] }, none)).toEqual(['region']);
  });
});
