import { policies, type Policy } from '@headwater/identity';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHeadwater } from '../headwater.ts';
import type { Operation } from '../rows/operation.ts';
import { bytesBody, fieldsBody, partsBody } from '../seam/row-body.ts';

const row: Operation = {
  id: 'mine',
  method: 'GET',
  path: '/mine/',
  auth: 'public',
  tag: 'anything at all',
  summary: 'A row of an embedder',
  responses: { 200: { description: 'Yes', schema: z.object({ ok: z.boolean() }) } },
  errors: [],
  examples: [{ name: 'one', status: 200 }],
  handler: () => ({ status: 200, json: { ok: true } }),
};
const key: Policy = {
  name: 'key',
  places: [{ in: 'header', name: 'x-api-key' }],
  refusesFirst: 'method',
  authenticate: async () => ({ kind: 'key' }),
};

function failure(operations: readonly Operation[]): string {
  try {
    createHeadwater({ baseUrl: 'http://localhost', secret: crypto.getRandomValues(new Uint8Array(32)), operations });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('createHeadwater checks the whole table', () => {
  it.each<[string, Partial<Operation>, RegExp]>([
    [
      'an unknown policy',
      { auth: JSON.parse('"unknown_policy"') as 'public' },
      /policy unknown_policy is unknown; name one of public, bearer/,
    ],
    ['no policy', { auth: [] }, /has no policy/],
    ['public before another policy', { auth: ['public', key] }, /policy public accepts every request; put it last/],
    [
      'a policy that reads a header in upper case',
      { auth: { ...key, places: [{ in: 'header', name: 'X-Key' }] } },
      /write header X-Key in lower/,
    ],
    [
      'a policy that reads the body, but no body',
      { auth: { ...key, places: [{ in: 'body', name: 'key' }] } },
      /a policy reads the body/,
    ],
    ['the method OPTIONS', { method: JSON.parse('"OPTIONS"') as 'GET' }, /method OPTIONS cannot be used in a row/],
    ['a path without a leading slash', { path: 'mine' }, /path "mine" cannot be routed/],
    ['a path with a query', { path: '/mine?a=1' }, /cannot be routed/],
    [
      'params that its path does not name',
      { path: '/mine/:id/', params: z.object({ other: z.string() }) },
      /the path has the parameters id, but the params schema has other/,
    ],
    ['the method GET and a body', { body: z.unknown() }, /a GET has no body/],
    [
      'a body that accepts no media type',
      { method: 'PUT', body: fieldsBody(z.unknown(), { accepts: [] }) },
      /the list `accepts` of its body is empty/,
    ],
    ['a body limit of 0 bytes', { method: 'PUT', body: bytesBody({ limit: 0 }) }, /not a number of bytes/],
    [
      'a limit of a part that is NaN',
      { method: 'PUT', body: partsBody({ file: Number.NaN }) },
      /not a number of bytes/,
    ],
    ['a blank tag', { tag: ' ' }, /has no tag/],
    [
      'a schema that the API description cannot contain',
      { responses: { 200: { description: 'x', schema: z.date() } } },
      /mine \(GET \/mine\/\): /,
    ],
    ['the id of a row of the service', { id: 'login' }, /two rows named login; rename one/],
    ['the path of a row of the service', { path: '/api/health' }, /two rows for GET \/api\/health/],
    ['the path of a row of the service in another spelling', { path: '/docs' }, /\/docs\/ and \/docs are one path/],
  ])('refuses a row with %s', (_name, change, message) => {
    expect(failure([{ ...row, ...change }])).toMatch(message);
  });

  it('lists all problems in one error', () => {
    const broken = [
      { ...row, id: 'login', summary: '' },
      { ...row, auth: key },
      { ...row, id: 'other', path: '/other/', auth: { ...key } },
    ] satisfies Operation[];
    expect(failure(broken)).toMatch(
      /two rows for GET \/mine\/[^]*two rows named login[^]*no summary[^]*two different policies are named key/,
    );
  });

  it('accepts any tag, and several rows with the same policy or with several policies', () => {
    const rows: Operation[] = [
      { ...row, auth: [key, policies.bearer] },
      { ...row, id: 'other', path: '/other/', auth: [key, 'bearer', 'public'] },
    ];
    expect(failure(rows)).toBe('');
  });
});
