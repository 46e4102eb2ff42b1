import { expect, it } from 'vitest';
import { z } from 'zod';
import { checked } from './checked.ts';
import { RequestError } from './request-error.ts';

function fieldsOf(schema: z.ZodType, value: unknown): unknown {
  try {
    return checked(schema, value);
  } catch (error) {
    return error instanceof RequestError ? error.wireFields : error;
  }
}

it('returns the value that the schema parsed', () => {
  expect(checked(z.string().transform(Number), '5')).toBe(5);
});

it('has different messages for absent, null and wrong type; a message of the schema replaces the message for a wrong type', () => {
  const schema = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string('own words') });
  expect(fieldsOf(schema, { b: null, c: 5, d: 5 })).toEqual({
    a: ['This field is required.'],
    b: ['This field may not be null.'],
    c: ['Not a valid string.'],
    d: ['own words'],
  });
});

it('names a member by its path, and lists problems of the whole body separately', () => {
  const inner = z.object({ a: z.object({ b: z.string() }) });
  expect(fieldsOf(inner, { a: {} })).toEqual({ 'a.b': ['This field is required.'] });
  expect(fieldsOf(inner, [])).toEqual({ non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] });
  expect(fieldsOf(inner, null)).toEqual({ non_field_errors: ['Invalid data. Expected a dictionary, but got null.'] });
});

it('a schema may name a rule instead of a message for clients', () => {
  const refine = (params: object) => z.object({ a: z.string().refine(() => false, { message: 'own words', params }) });
  expect(fieldsOf(refine({ rule: 'blank' }), { a: ' ' })).toEqual({ a: ['This field may not be blank.'] });
  expect(fieldsOf(refine({ rule: 'too_long', limit: 3 }), { a: 'long' })).toEqual({
    a: ['Ensure this field has no more than 3 characters.'],
  });
  expect(fieldsOf(refine({ rule: 'odd' }), { a: '' })).toEqual({ a: ['own words'] });
});

it('reports equal messages of a field once', () => {
  const half = z.looseObject({}).superRefine((_, context) => {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is odd' });
  });
  const error = fieldsOf(z.intersection(half, half), {});
  expect(Object.entries(Object(error))).toEqual([['__proto__', ['is odd']]]);
});
