import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';
import { checked } from '../../../wire/checked.ts';
import { computeBody } from './pipeline-body.ts';
import { RequestError } from '../../../wire/request-error.ts';

const BODY_SCHEMA = computeBody(z.object({ ...placeFields, ...yearFields, ...eoAccountField })).schema;

const BODY = {
  state: 'Nadi Pradesh',
  district: 'East Nadi',
  block: 'Jal & Gaon',
  start_year: 2020,
  end_year: 2022,
  eo_account_id: 1,
};

function faults(body: unknown): Record<string, string> {
  try {
    checked(BODY_SCHEMA, body);
    return {};
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return Object.fromEntries(Object.entries(error.wireFields).map(([field, [message]]) => [field, String(message)]));
  }
}

describe('the request body', () => {
  it('becomes a request with the field names of the pipeline', () =>
    expect(BODY_SCHEMA.parse(BODY).request).toEqual({
      state: 'Nadi Pradesh',
      district: 'East Nadi',
      tehsil: 'Jal & Gaon',
      startYear: 2020,
      endYear: 2022,
      eoAccountId: 1,
    }));

  it('accepts aliases of fields, digits as text, and extra members', () => {
    const { block, eo_account_id: _, ...rest } = BODY;
    const other = {
      ...rest,
      tehsil: block,
      start_year: '2020',
      end_year: ' 2022 ',
      gee_account_id: '1',
      version: 'v2',
      wait: true,
      nonsense: { a: 1 },
    };
    expect(BODY_SCHEMA.parse(other)).toEqual({ ...BODY_SCHEMA.parse(BODY), wait: true });
  });

  it('reports a value that is not a text as a validation error, not as a failure of the service', () => {
    const notText = { toString: 1 };
    expect(faults({ ...BODY, block: notText, tehsil: 'Jal & Gaon' })).toEqual({
      block: 'Sent under two names with different values; send block only.',
    });
    expect(faults({ ...BODY, block: notText })).toEqual({ block: 'Not a valid string.' });
  });

  it('names every field that is missing', () =>
    expect(faults({})).toEqual({
      state: 'This field is required.',
      district: 'This field is required.',
      start_year: 'This field is required.',
      end_year: 'This field is required.',
      block: 'This field is required.',
      eo_account_id: 'eo_account_id is required (gee_account_id is accepted too).',
    }));

  it('reports a missing account together with a wrong year', () => {
    const { eo_account_id: _, ...rest } = BODY;
    expect(Object.keys(faults({ ...rest, start_year: 1e308 }))).toEqual(['start_year', 'eo_account_id']);
    expect(faults({ ...BODY, start_year: 1e308 })['start_year']).toBe('A year is an integer, e.g. 2022');
  });

  it('accepts null under one of the two names of a field, and refuses different values under the two names', () => {
    const parsed = BODY_SCHEMA.parse({ ...BODY, eo_account_id: null, gee_account_id: '1', tehsil: null });
    expect(parsed).toEqual(BODY_SCHEMA.parse(BODY));
    expect(BODY_SCHEMA.parse({ ...BODY, gee_account_id: ' 1', tehsil: 'jal & gaon' })).toEqual(parsed);
    expect(faults({ ...BODY, gee_account_id: 2, tehsil: 'Silchar' })).toEqual({
      block: 'Sent under two names with different values; send block only.',
      eo_account_id: 'Sent under two names with different values; send eo_account_id only.',
    });
    expect(faults({ ...BODY, eo_account_id: null })).toEqual({ eo_account_id: 'This field may not be null.' });
  });

  it('names the tehsil and the account if only these two are missing', () => {
    const { block: _, eo_account_id: __, ...rest } = BODY;
    expect(Object.keys(faults(rest))).toEqual(['block', 'eo_account_id']);
  });

  it.each([
    ['state', '', 'This field may not be blank.'],
    ['state', '  ', 'This field may not be blank.'],
    ['state', null, 'This field may not be null.'],
    ['start_year', null, 'This field may not be null.'],
    ['start_year', '', 'A year is an integer, e.g. 2022'],
    ['eo_account_id', 'x', 'eo_account_id must be an integer.'],
  ])('%s = %j is refused: %s', (field, value, message) =>
    expect(faults({ ...BODY, [field]: value })[field]).toBe(message),
  );

  it.each([['__proto__'], ['constructor']])('ignores the member %s', (key) => {
    const body: unknown = JSON.parse(JSON.stringify(BODY).replace('}', `,"${key}":{"state":"x","polluted":true}}`));
    expect(BODY_SCHEMA.parse(body)).toEqual(BODY_SCHEMA.parse(BODY));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads a year only from whole numbers and their digits', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom('0x7E4', '2e3', '2020.0', '+2020', '-1', '２０２０', 'Infinity', '1e400', [2020], {}),
    );
    fc.assert(
      fc.property(odd, (value) => {
        const digits = typeof value === 'string' ? /^\s*\d{1,9}\s*$/.test(value) : Number.isSafeInteger(value);
        expect(BODY_SCHEMA.safeParse({ ...BODY, start_year: value }).success).toBe(digits);
      }),
    );
  });
});

describe('the request of a pipeline with fields of any type', () => {
  const odd = z
    .object({
      wellCount: z.int().min(1).max(50).default(5),
      season: z.enum(['kharif', 'rabi']).optional(),
      note: z.string().nullable(),
      depthRange: z.array(z.number()).optional(),
      gridOptions: z.object({ cellSize: z.int(), isFine: z.boolean().optional() }).optional(),
      offset: z.int().min(-180).max(180).optional(),
      from: z.iso
        .date()
        .transform((day) => new Date(day))
        .optional(),
    })
    .refine(({ wellCount, offset = 0 }) => wellCount > offset, {
      error: 'wellCount must be above offset',
      path: ['wellCount'],
    });
  const body = computeBody(odd);
  const read = (sent: unknown) => checked(body.schema, sent).request;
  const refused = (sent: unknown): Record<string, string> => {
    try {
      read(sent);
      return {};
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return Object.fromEntries(Object.entries(error.wireFields).map(([field, [text]]) => [field, String(text)]));
    }
  };

  it('applies defaults, keeps null if the schema accepts it, and otherwise treats null as absent', () => {
    expect(read({ note: null })).toEqual({ note: null, wellCount: 5 });
    expect(read({ note: 'a', well_count: null, season: null })).toEqual({ note: 'a', wellCount: 5 });
    expect(refused({ well_count: 3 })).toEqual({ note: 'This field is required.' });
  });

  it('uses snake_case for nested members too, and reads numbers and booleans from text', () => {
    const sent = {
      note: '',
      grid_options: { cell_size: '30', is_fine: 'true' },
      depth_range: ['1.5', 2],
      offset: '-7',
    };
    expect(read(sent)).toEqual({
      note: '',
      wellCount: 5,
      gridOptions: { cellSize: 30, isFine: true },
      depthRange: [1.5, 2],
      offset: -7,
    });
  });

  it('is parsed once: a transform receives the sent value', () =>
    expect(read({ note: 'a', from: '2024-07-01' })['from']).toEqual(new Date('2024-07-01')));

  it('reports errors under the names that were sent, in plain words', () => {
    expect(refused({ note: 3, well_count: [], depth_range: [1, 'x'], grid_options: { cell_size: 'wide' } })).toEqual({
      well_count: 'A valid number is required.',
      note: 'Not a valid string.',
      'depth_range.1': 'A valid number is required.',
      'grid_options.cell_size': 'A valid number is required.',
    });
    expect(refused({ note: '', well_count: 2, offset: 3 })).toEqual({ well_count: 'well_count must be above offset' });
    expect(refused({ note: '', wait: 'maybe' })).toEqual({ wait: 'Must be true or false.' });
  });

  it('is documented with defaults and descriptions of its fields', () => {
    const { properties } = z.toJSONSchema(
      computeBody(z.object({ lineWidth: z.int().default(2).describe('Width of the line, pixels.') })).documented ??
        z.never(),
      { io: 'input' },
    );
    expect(properties?.['line_width']).toMatchObject({ default: 2, description: 'Width of the line, pixels.' });
  });
});
