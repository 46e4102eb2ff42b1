import { expect, it } from 'vitest';
import { fieldError } from '../errors.ts';
import { failureFields, toRunFailure } from './failure.ts';

const logger = { debug: () => {}, info: () => {}, error: () => {} };

it('a failure keeps the field problems of its error, also after it was stored as JSON', () => {
  const problems = { tehsil: [{ rule: 'too_long', message: 'is too long.', limit: 5 }] } as const;
  const failure = toRunFailure(fieldError('input_data', problems), 'r', logger);
  expect(failure).toEqual({ code: 'input_data', message: 'tehsil: is too long.', fields: problems });
  expect(failureFields(JSON.parse(JSON.stringify(failure)))).toEqual(problems);
  expect(failureFields({})).toEqual({});
});

it('failureFields reads failures of version 0.1, which have texts instead of problems', () => {
  const stored = { block: ['has no boundary', 'is empty'] };
  expect(failureFields({ fields: stored })).toEqual({
    block: [
      { rule: 'invalid', message: 'has no boundary' },
      { rule: 'invalid', message: 'is empty' },
    ],
  });
});
