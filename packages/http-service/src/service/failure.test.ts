import { DomainError } from '@headwater/core';
import { expect, it } from 'vitest';
import { failureResponse } from './failure.ts';

const logged: unknown[] = [];
const logger = { debug: () => {}, info: () => {}, error: (fields: unknown) => void logged.push(fields) };
const context = {
  format: 'problem',
  requestId: 'r1',
  method: 'GET',
  path: '/x',
  isPathLogged: false,
  logger,
  challenge: undefined,
  baseUrl: 'http://localhost',
  language: 'en',
  queryText: '',
} as const;
const challengeOf = (more: object) =>
  failureResponse(new DomainError('not_authenticated', 'no'), { ...context, ...more }).headers['www-authenticate'];

it('a 401 has the challenge of the policy that refused', () => {
  expect(challengeOf({ challenge: 'Basic' })).toBe('Basic');
  expect(challengeOf({ challenge: undefined })).toBeUndefined();
  const { headers } = failureResponse(new DomainError('forbidden', 'no'), { ...context, challenge: 'Basic' });
  expect(headers['www-authenticate']).toBeUndefined();
});

it('a 503 states when to try again, even if its error contains no time', () => {
  const retryAfter = (details: Readonly<Record<string, unknown>>) =>
    failureResponse(new DomainError('unavailable', 'no', { details }), context).headers['retry-after'];
  expect([retryAfter({}), retryAfter({ retryAfterSeconds: 60 })]).toEqual(['5', '60']);
});

it('an error page is not cached, and has a content security policy', () => {
  const { status, headers } = failureResponse(new DomainError('not_found', 'no'), { ...context, format: 'html' });
  expect(status).toBe(404);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' });
  expect(headers).toHaveProperty('content-security-policy');
});

it('hides an unexpected error behind the id of the request, and logs it once', () => {
  const { status, body } = failureResponse(new Error('password=hunter2'), context);
  expect(status).toBe(500);
  expect(body).toEqual(expect.stringContaining('Report the request id r1'));
  expect(body).toEqual(expect.not.stringContaining('hunter2'));
  expect(logged).toEqual([expect.objectContaining({ requestId: 'r1', error: expect.stringContaining('hunter2') })]);
});
