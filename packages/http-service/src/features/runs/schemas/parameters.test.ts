import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readWireParameters, wireParameters } from './parameters.ts';

const request = z.object({ ...placeFields, ...yearFields, ...eoAccountField });

describe('parameters of a pipeline, by their names in HTTP requests', () => {
  it('are the fields of its request in their order, with the type names that workflow files use', () => {
    expect(wireParameters(request).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'state: string',
      'district: string',
      'block: string',
      'start_year: integer',
      'end_year: integer',
      'eo_account_id: integer',
    ]);
    const other = z.object({
      region: z.array(z.number()).optional(),
      labels: z.record(z.string(), z.unknown()),
      share: z.number().default(0.5),
    });
    expect(wireParameters(other)).toEqual([
      { name: 'region', type: 'array', isRequired: false },
      { name: 'labels', type: 'string', isRequired: true },
      { name: 'share', type: 'string', isRequired: false },
    ]);
  });

  it('are read from texts of a command line, also by their aliases; texts with other names are ignored', () => {
    const texts = { state: 'Nadi', district: 'East', tehsil: 'Jal', start_year: '2021', end_year: '2022' };
    expect(readWireParameters(request, { ...texts, gee_account_id: '1', job_id: 'a', wait: 'maybe' })).toEqual({
      state: 'Nadi',
      district: 'East',
      tehsil: 'Jal',
      startYear: 2021,
      endYear: 2022,
      eoAccountId: 1,
    });
  });

  it('may be lists and objects as JSON', () => {
    const other = z.object({ region: z.array(z.number()), labels: z.record(z.string(), z.unknown()).optional() });
    expect(readWireParameters(other, { region: '[1, "2.5"]', labels: '{"type":"x"}' })).toEqual({
      region: [1, 2.5],
      labels: { type: 'x' },
    });
    for (const region of ['1,2', '[1,', '"[1]"', '{}'])
      expect(() => readWireParameters(other, { region })).toThrow(/region/);
  });

  it('are reported by their names in HTTP requests if they are wrong', () => {
    expect(() => readWireParameters(request, { state: '', start_year: 'x' })).toThrow(
      expect.objectContaining({
        wireFields: expect.objectContaining({
          state: ['This field may not be blank.'],
          block: ['This field is required.'],
          start_year: ['A year is an integer, e.g. 2022'],
        }),
      }),
    );
  });
});
