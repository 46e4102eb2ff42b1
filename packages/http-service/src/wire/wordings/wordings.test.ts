import { DomainError, type ErrorCode } from '@headwater/core';
import { tokenError } from '@headwater/identity';
import { describe, expect, it } from 'vitest';
import { toWire } from '../wire-error.ts';
import { wordingOf, wordings, type ErrorFormat } from './index.ts';

const context = {
  requestId: 'r1',
  method: 'POST',
  baseUrl: 'https://example.org/geo',
  path: '/x/',
  language: 'en',
} as const;
const body = (format: ErrorFormat, error: DomainError): unknown =>
  JSON.parse(wordingOf(format).render(toWire(error), context));
const of = (code: ErrorCode, details = {}) => new DomainError(code, 'plain words', { details });

describe('the JSON formats', () => {
  const error = of('conflict', { more: 1, title: 'not shown' });
  const members = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: 'plain words',
    request_id: 'r1',
    more: 1,
  };

  it('are problem details, with the text only in the members that existing clients read', () => {
    const text = 'plain words';
    expect(body('problem', error)).toEqual(members);
    expect(body('withError', error)).toEqual({ ...members, error: text });
    expect(body('compute', error)).toEqual({ ...members, error: text, message: text, status: 'error' });
    expect(body('success', error)).toEqual({ ...members, error: text, success: false });
    const { detail: _, ...none } = members;
    expect(body('stac', error)).toEqual({ ...none, description: text });
    expect(body('key', error)).toEqual({ ...none, error: text });
    expect(body('apiKeys', error)).toEqual({ ...members, error: text, message: text, success: false });
  });

  it('a field with the name of a text member is not copied to the top level', () => {
    const fields = { message: [{ rule: 'invalid', message: 'is wrong.' }] } as const;
    expect(body('problem', new DomainError('validation', 'plain', { fields }))).not.toHaveProperty('message');
  });

  it('report the status in the details of a failed run instead of the default status', () => {
    expect(body('compute', of('no_scenes', { status: 'failed' }))).toMatchObject({ status: 'failed' });
  });
});

describe('key', () => {
  it.each([
    [of('not_authenticated', { policies: ['apiKey'] }), 'API key required in X-API-Key header'],
    [
      of('not_authenticated', { policies: ['bearer'] }),
      'JWT token required in Authorization header. Send Authorization: Bearer <token>, with the access token that POST /api/v1/auth/login/ returns.',
    ],
    // The policy of an embedder keeps its own message.
    [of('not_authenticated'), 'plain words'],
    [of('not_authenticated', { policies: ['partnerKey'] }), 'plain words'],
    [
      of('not_authenticated', { policies: ['partnerKey', 'bearer'] }),
      'Authentication credentials were not provided. Send Authorization: Bearer <token>, with the access token that POST /api/v1/auth/login/ returns.',
    ],
    [
      of('not_authenticated', { policies: ['bearer', 'apiKey'] }),
      "Authentication required. Provide 'Authorization: Bearer <token>' or 'X-API-Key: <key>'; POST /api/v1/auth/login/ returns a token.",
    ],
    [tokenError('access', 'expired'), 'Invalid or expired JWT token'],
    [of('token_not_valid', { token: 'apiKey', problem: 'invalid' }), 'Invalid API key'],
  ])('a refusal has the members error and details: %#', (error, details) => {
    expect(body('key', error)).toMatchObject({ error: 'Authentication failed', details, status: 401 });
  });

  it('uses the sentences that existing clients expect for other errors', () => {
    expect(body('key', of('user_not_found'))).toMatchObject({ error: 'User not found' });
    expect(body('key', of('method_not_allowed'))).toMatchObject({ error: 'Method POST not allowed' });
    expect(body('key', of('internal'))).toMatchObject({ error: 'Server error', details: 'plain words' });
    expect(body('key', of('not_found'))).toMatchObject({ error: 'plain words' });
  });
});

it('html: a page with the escaped message', () => {
  const { mediaType, headers, render } = wordings.html;
  expect(mediaType).toBe('text/html; charset=utf-8');
  expect(headers?.['content-security-policy']).toContain("default-src 'none'");
  const page = render(toWire(new DomainError('not_found', '<b>no</b>')), context);
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain('&lt;b&gt;no&lt;/b&gt;');
  expect(page).toContain('href="/geo/docs/"');
  expect(render(toWire(of('internal')), { ...context, baseUrl: '' })).toContain('href="/docs/"');
});

it('ogc: an exception report with code and parameter', () => {
  const report = wordings.ogc.render(toWire(of('validation', { ogcCode: 'X', locator: 'a<b' })), context);
  expect(report).toContain('exceptionCode="X" locator="a&lt;b"');
  expect(report).toContain('<ows:ExceptionText>plain words</ows:ExceptionText>');
  expect(wordings.ogc.render(toWire(of('internal')), context)).toContain('"NoApplicableCode">');
});

it('a row may have its own error format', () => {
  const own = { mediaType: 'text/plain', render: () => 'no' };
  expect(wordingOf(own)).toBe(own);
  expect(wordingOf(undefined)).toBe(wordings.problem);
});
