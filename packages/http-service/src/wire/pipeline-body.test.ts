import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';
import { checked } from './checked.ts';
import { pipelineBody } from './pipeline-body.ts';
import { RequestError } from './request-error.ts';

const BODY_SCHEMA = pipelineBody(z.object({ ...placeFields, ...yearFields, ...eoAccountField }));

const BODY = {
  state: 'Nadi Pradesh',
  district: 'East Nadi',
  block: 'Jal & Gaon',
  start_year: 2020,
  end_year: 2022,
  eo_account_id: 1,
};

/** Field -> message, as the wire words them. */
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
  it('becomes a request', () =>
    expect(BODY_SCHEMA.parse(BODY)).toEqual({
      state: 'Nadi Pradesh',
      district: 'East Nadi',
      tehsil: 'Jal & Gaon',
      startYear: 2020,
      endYear: 2022,
      eoAccountId: 1,
    }));

  it('may call things by their older names, have digits as text, and carry more', () => {
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
    expect(BODY_SCHEMA.parse(other)).toEqual(BODY_SCHEMA.parse(BODY));
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

  it('names the account beside a year that is wrong', () => {
    const { eo_account_id: _, ...rest } = BODY;
    expect(Object.keys(faults({ ...rest, start_year: 1e308 }))).toEqual(['start_year', 'eo_account_id']);
    expect(faults({ ...BODY, start_year: 1e308 })['start_year']).toBe('A year is a whole number, e.g. 2022');
  });

  it('takes null for the name that is not used, and refuses two values', () => {
    const parsed = BODY_SCHEMA.parse({ ...BODY, eo_account_id: null, gee_account_id: '1', tehsil: null });
    expect(parsed).toEqual(BODY_SCHEMA.parse(BODY));
    expect(BODY_SCHEMA.parse({ ...BODY, gee_account_id: ' 1', tehsil: 'jal & gaon' })).toEqual(parsed);
    expect(faults({ ...BODY, gee_account_id: 2, tehsil: 'Silchar' })).toEqual({
      block: 'Given under two names with two values; send block only.',
      eo_account_id: 'Given under two names with two values; send eo_account_id only.',
    });
    expect(faults({ ...BODY, eo_account_id: null })).toEqual({ eo_account_id: 'This field may not be null.' });
  });

  it('names the place and the account where only they are missing', () => {
    const { block: _, eo_account_id: __, ...rest } = BODY;
    expect(Object.keys(faults(rest))).toEqual(['block', 'eo_account_id']);
  });

  it.each([
    ['state', '', 'This field may not be blank.'],
    ['state', '  ', 'This field may not be blank.'],
    ['state', null, 'This field may not be null.'],
    ['start_year', null, 'This field may not be null.'],
    ['start_year', '', 'A year is a whole number, e.g. 2022'],
    ['eo_account_id', 'x', 'eo_account_id must be an integer.'],
  ])('%s = %j is refused: %s', (field, value, message) =>
    expect(faults({ ...BODY, [field]: value })[field]).toBe(message),
  );

  it.each([['__proto__'], ['constructor']])('is not fooled by %s', (key) => {
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
