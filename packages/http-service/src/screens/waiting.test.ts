import { DomainError } from '@headwater/core';
import { expect, it } from 'vitest';
import { sayIn } from '../pages/texts.ts';
import { waitingOf } from './waiting.ts';

const read = (code: 'throttled' | 'unavailable' | 'conflict', details: Record<string, unknown>) =>
  waitingOf(new DomainError(code, 'Refused.', { details }), sayIn('en'), 'tooManySignIns');

it('a refusal after failed sign-ins says that they failed; a refusal of simultaneous sign-ins says that the service is busy', () => {
  expect(read('throttled', { retryAfterSeconds: 30 })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '30' },
    sentence: expect.stringMatching(/^Too many sign-ins failed\. Try again in 30 seconds\./),
  });
  expect(read('throttled', { retryAfterSeconds: 1, isSimultaneous: true })).toEqual({
    status: 429,
    headers: { 'retry-after': '1' },
    sentence: 'The service is busy. Try again in 1 second.',
  });
  expect(read('unavailable', { retryAfterSeconds: 5 })).toMatchObject({ status: 503 });
  expect(read('unavailable', {})).toBeUndefined();
  expect(read('conflict', { retryAfterSeconds: 5 })).toBeUndefined();
});
