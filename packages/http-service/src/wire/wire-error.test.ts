import { DomainError, type ErrorCode, fieldError, invalidField } from '@headwater/core';
import { tokenError } from '@headwater/identity';
import { describe, expect, it } from 'vitest';
import { absent } from './absent.ts';
import { badMember } from './request-error.ts';
import { toWire } from './wire-error.ts';

const noAccount = (given: string) => new DomainError('no_active_account', 'plain words', { details: { given } });

const missing = (policies: readonly string[]) =>
  new DomainError('not_authenticated', 'plain', { details: { policies } });

const NO_CREDENTIALS =
  'Authentication credentials were not provided. Send Authorization: Bearer <token>, with the access token that POST /api/v1/auth/login/ returns.';

describe('toWire', () => {
  // Existing clients compare these sentences letter by letter.
  it.each<[DomainError, number, string]>([
    [noAccount('credentials'), 401, 'No active account found with the given credentials'],
    [noAccount('token'), 401, 'No active account found for the given token.'],
    [missing(['bearer']), 401, NO_CREDENTIALS],
    [missing(['bearer', 'apiKey']), 401, NO_CREDENTIALS],
    [new DomainError('not_authenticated', 'Bring a key.'), 401, 'Bring a key.'],
    [
      new DomainError('bad_authorization_header', 'plain'),
      401,
      'Authorization header must contain two space-delimited values',
    ],
    [new DomainError('user_inactive', 'plain'), 401, 'User is inactive'],
    [new DomainError('user_not_found', 'plain'), 401, 'User not found'],
    [tokenError('refresh', 'invalid'), 401, 'Token is invalid'],
    [tokenError('refresh', 'expired'), 401, 'Token is expired'],
    [tokenError('refresh', 'wrong_type'), 401, 'Token has wrong type'],
    [tokenError('refresh', 'reused'), 401, 'Token is blacklisted'],
    [absent('run', { id: 'r1' }), 404, 'No run "r1" of yours exists; GET /api/v1/runs/ lists them.'],
    [absent('collection', { level: 'tehsil', name: 'x' }), 404, 'Block collection not found: x'],
    [
      absent('collection', { level: 'tehsil', name: 'region_0123456789abcdef' }),
      404,
      'Block collection not found: region_0123456789abcdef. This region was removed, or never computed.',
    ],
    [absent('item', { id: 'x' }), 404, 'Item not found: x'],
    [
      absent('file', { key: 'r/1/x.tif' }),
      404,
      'File not found: r/1/x.tif. The file was replaced or removed, or the address is wrong; copy the present address from its Item.',
    ],
    [
      new DomainError('took_too_long', 'plain', { details: { seconds: 5 } }),
      503,
      'The search was ended because it took longer than 5 s. Narrow it: name collections, ids, a bbox or a datetime, use fewer and simpler conditions in filter or query, or sort by datetime or id.',
    ],
    [
      new DomainError('took_too_long', 'plain'),
      503,
      'A statement of the database took too long and was stopped. Try again shortly.',
    ],
    [absent('path', { path: '/x', list: '/docs/' }), 404, 'Not found: /x; GET /docs/ lists all addresses.'],
    [absent('table', { name: 'x', list: '/t/' }), 404, 'Table not found: x; GET /t/ lists the existing ones.'],
  ])('$code: %#', (error, status, message) => {
    expect(toWire(error)).toMatchObject({ status, message, fields: {}, members: {} });
  });

  it('reports the problem of a bearer token in `messages`, and one general text', () => {
    expect(toWire(tokenError('access', 'expired'))).toMatchObject({
      message: 'Given token not valid for any token type',
      members: { messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is expired' }] },
    });
  });

  it('uses the field names and sentences that existing clients expect', () => {
    const error = fieldError('validation', {
      firstName: [{ rule: 'too_long', message: 'is long.', limit: 150 }],
      tehsil: [{ rule: 'blank', message: 'is empty.' }],
      username: [{ rule: 'taken', message: 'is taken.' }],
      eoAccountId: [{ rule: 'unknown', message: 'account 9 does not exist' }],
      password: [
        { rule: 'weak', message: 'Too short.' },
        { rule: 'weak', message: 'Too common.' },
      ],
    });
    const { fields, message, status } = toWire(error);
    expect(status).toBe(400);
    expect(fields).toEqual({
      first_name: ['Ensure this field has no more than 150 characters.'],
      block: ['This field may not be blank.'],
      username: ['A user with that username already exists.'],
      eo_account_id: ['account 9 does not exist; GET /api/v1/eoaccounts/ lists the accounts that you may use'],
      password: ['Too short.', 'Too common.'],
    });
    expect(message).toContain('block: This field may not be blank.; ');
    expect(message).not.toContain('tehsil');
  });

  it('keeps a message that differs from the messages of its fields', () => {
    const fields = { tehsil: [{ rule: 'invalid', message: 'is dry' }] } as const;
    const error = new DomainError('input_data', 'Nothing grows here.', { fields, details: { firstYear: 2020 } });
    expect(toWire(error)).toMatchObject({
      message: 'Nothing grows here.',
      fields: { block: ['is dry'] },
      members: { first_year: 2020 },
    });
  });

  it('translates the names of domain fields only, not the names in a request', () => {
    expect(toWire(badMember('Last-Event-ID', 'A valid integer is required.'))).toMatchObject({
      message: 'Last-Event-ID: A valid integer is required.',
      fields: { 'Last-Event-ID': ['A valid integer is required.'] },
    });
    expect(toWire(badMember('tehsil', 'Given twice.')).fields).toEqual({ tehsil: ['Given twice.'] });
    expect(toWire(invalidField('tehsil', 'is dry')).fields).toEqual({ block: ['is dry'] });
  });

  it('omits details that become headers or belong to one error format', () => {
    const details = {
      retryAfterSeconds: 3,
      total: 5,
      allow: 'GET',
      ogcCode: 'X',
      locator: 'y',
      isSimultaneous: true,
      shown: 1,
    };
    const shown = (code: ErrorCode): readonly string[] => {
      const wire = toWire(new DomainError(code, 'Wait.', { details }));
      expect(wire).toMatchObject({ members: { shown: 1 }, details });
      return Object.keys(wire.members);
    };
    expect(shown('method_not_allowed')).toEqual(['total', 'shown']);
    expect(shown('range_not_satisfiable')).toEqual(['allow', 'shown']);
    // For other error codes, the details must be in the body, because they do not become headers.
    expect(shown('input_data')).toEqual(['total', 'allow', 'shown']);
  });
});
