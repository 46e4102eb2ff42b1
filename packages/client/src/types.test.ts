import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ComputeRoute, createClient, type HeadwaterError, isHeadwaterError, type Run } from './index.ts';
import { clientError } from './errors.ts';

/** A client without a service, because these tests only compile calls. */
const client = createClient({ baseUrl: 'http://127.0.0.1:1' });

describe('types of requests', () => {
  it('answers, parameters and bodies have the types of the OpenAPI document', () => {
    type Runs = Awaited<ReturnType<typeof client.get<'/api/v1/runs/'>>>;
    expectTypeOf<Runs['count']>().toEqualTypeOf<number>();
    expectTypeOf<Awaited<ReturnType<typeof client.get<'/api/v1/runs/{id}/'>>>>().toEqualTypeOf<Run>();
    type Query = NonNullable<NonNullable<Parameters<typeof client.get<'/api/v1/runs/'>>[1]>['params']>['query'];
    expectTypeOf<NonNullable<Query>['limit']>().toEqualTypeOf<number | undefined>();
    const wrong = [
      // @ts-expect-error -- no such address
      () => client.get('/api/v1/nothing/'),
      // @ts-expect-error -- the path needs its parameter
      () => client.get('/api/v1/runs/{id}/'),
      // @ts-expect-error -- limit is an integer, not a text
      () => client.get('/api/v1/runs/', { params: { query: { limit: '5' } } }),
      // @ts-expect-error -- no such parameter
      () => client.get('/api/v1/runs/', { params: { query: { limt: 5 } } }),
      // @ts-expect-error -- a file, which download reads
      () => client.get('/api/v1/download_excel_layer/'),
      // @ts-expect-error -- a GET, not a POST
      () => client.post('/api/v1/runs/'),
      // @ts-expect-error -- the body needs its fields
      () => client.compute('lulc_for_tehsil', { state: 'a' }),
      // @ts-expect-error -- no such layer
      () => client.compute('lulc', { state: 'a' }),
      // @ts-expect-error -- this address returns one document, not a list
      () => client.list('/api/v1/runs/{id}/', { params: { path: { id: 'a' } } }),
    ];
    expect(wrong).toHaveLength(9);
  });

  it('computations and lists have the types of their rows', () => {
    expectTypeOf<'lulc_for_tehsil'>().toExtend<ComputeRoute>();
    expectTypeOf<'auth/login'>().not.toExtend<ComputeRoute>();
    expectTypeOf(client.compute<'generate_swb'>).returns.resolves.toEqualTypeOf<Run>();
    type Entry<List extends AsyncIterable<unknown>> = List extends AsyncIterable<infer Each> ? Each : never;
    type Listed = Entry<ReturnType<typeof client.list<'/api/v1/runs/'>>>;
    expectTypeOf<Listed['state']>().toEqualTypeOf<Run['state']>();
    expectTypeOf<Entry<ReturnType<typeof client.list<'/api/v1/users/'>>>['username']>().toEqualTypeOf<string>();
  });
});

describe('the union of errors', () => {
  it('is closed, and its code decides which members an error has', () => {
    const describeError = (error: HeadwaterError): string => {
      switch (error.code) {
        case 'missing_layer':
          return error.missing.map(({ name, made_by: by }) => `${name}: ${by?.path ?? 'none'}`).join();
        case 'throttled':
        case 'unavailable':
          return `later: ${error.retryAfterSeconds}`;
        case 'no_response':
        case 'unexpected_response':
          return 'check the address';
        default:
          expectTypeOf(error).not.toHaveProperty('missing');
          return Object.values(error.fields).flat().join();
      }
    };
    const body = { missing: [{ name: 'lulc', kind: 'layer', made_by: { method: 'POST', path: '/a/', body: {} } }] };
    expect(describeError(clientError({ code: 'missing_layer', message: 'x', body }))).toBe('lulc: /a/');
    expect(describeError(clientError({ code: 'throttled', message: 'x', retryAfterSeconds: 4 }))).toBe('later: 4');
    const fields = { start_year: ['too early'] };
    expect(describeError(clientError({ code: 'validation', message: 'x', fields }))).toBe('too early');
    expectTypeOf<'other'>().not.toExtend<HeadwaterError['code']>();
  });

  it('an error is recognized only by its brand, a symbol', () => {
    expect([new Error('x'), null, { code: 'validation' }].map(isHeadwaterError)).toEqual([false, false, false]);
    expect(isHeadwaterError({ [Symbol.for('headwater.client-error')]: true })).toBe(true);
  });
});
