import { DomainError, isDomainError } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { isRetryable, toDomainError } from './errors.ts';

const PLACE = 'PostgreSQL database "water" at db:5432';

const failure = (fields: { readonly code?: string; readonly message?: string; readonly constraint?: string }): Error =>
  Object.assign(new Error(fields.message ?? 'a message'), fields);

describe('toDomainError', () => {
  it.each([
    ['ECONNREFUSED', /does not respond .*check that it runs/],
    ['ENOTFOUND', /does not respond .*host name/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /cannot be used .*certificate/],
    ['08006', /does not respond .*network/],
    ['57P01', /cannot be used .*retry/],
    ['53300', /max_connections/],
    ['28P01', /cannot be used \(28P01\): .*user name and the password/],
    ['3D000', /does not exist/],
    ['42501', /privilege/],
    ['25006', /read-only/],
    ['25P03', /timeouts/],
    ['55P03', /retry/],
    ['40001', /retry/],
    ['40P01', /retry/],
  ])('converts code %s to unavailable, with a remedy', (code, remedy) => {
    expect(toDomainError(failure({ code }), PLACE)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(remedy),
    });
  });

  it.each([
    ['Connection terminated unexpectedly', /does not respond .*check that it runs/],
    ['timeout exceeded when trying to connect', /does not respond .*check that it runs/],
    ['Connection pool of the database object has been destroyed.', /cannot be used .*the service is stopping/],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string', /set one/],
    ['The server does not support SSL connections', /TLS/],
  ])('converts "%s" to unavailable too', (message, remedy) => {
    const error = toDomainError(failure({ message }), PLACE);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(remedy) });
    expect(error).toMatchObject({ message: expect.stringContaining(PLACE) });
  });

  it('finds the cause if connecting fails at every address of a host name', () => {
    const error = new AggregateError([failure({ code: 'ECONNREFUSED' })], '');
    expect(toDomainError(error, PLACE)).toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['23505', 'conflict'],
    ['57014', 'took_too_long'],
    ['53100', 'storage_full'],
    ['ENOSPC', 'storage_full'],
    ['23503', 'conflict'],
    ['22P02', 'validation'],
    ['54000', 'validation'],
  ])('converts code %s to %s', (code, expected) => {
    const cause = failure({ code, constraint: 'some_key' });
    expect(toDomainError(cause, PLACE)).toMatchObject({ code: expected, cause });
  });

  it('never repeats messages of the database, because they contain names of tables and values of other users', () => {
    const message = 'insert or update on table "users" violates foreign key constraint; Key (id)=(7)';
    for (const code of ['22P02', '23502', '23503', '23514', '54000']) {
      const error = toDomainError(failure({ code, message, constraint: 'some_fkey' }), PLACE);
      expect(error).toMatchObject({ message: expect.not.stringMatching(/insert|users|Key|fkey/) });
    }
  });

  it('converts the error for a removed organisation to the error for an unknown organisation', () => {
    for (const constraint of ['users_organization_id_fkey', 'projects_organization_id_fkey'])
      expect(toDomainError(failure({ code: '23503', constraint }), PLACE)).toMatchObject({
        code: 'validation',
        fields: { organization: [{ rule: 'unknown' }] },
      });
  });

  it('returns domain errors and unknown errors unchanged', () => {
    const known = new DomainError('not_found', 'none');
    expect(toDomainError(known, PLACE)).toBe(known);
    const bug = failure({ code: '42601', message: 'syntax error' });
    expect(toDomainError(bug, PLACE)).toBe(bug);
    expect(isDomainError(toDomainError('thrown text', PLACE))).toBe(false);
  });

  it('recognises errors after which a retry may succeed', () => {
    expect(isRetryable(failure({ code: '40P01' }))).toBe(true);
    expect(isRetryable(failure({ code: '40001' }))).toBe(true);
    expect(isRetryable(failure({ code: '23505' }))).toBe(false);
  });
});
