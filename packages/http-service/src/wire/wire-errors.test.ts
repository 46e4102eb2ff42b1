import type { PixelEngine } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { createMemoryStores } from '@headwater/identity/memory';
import { beforeAll, describe, expect, it } from 'vitest';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import { createScryptHasher } from '../features/accounts/scrypt-hasher.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';

const BASE = 'http://localhost/geo';
const untouched = { close: async () => {}, release: async () => {} } as Partial<PixelEngine> as PixelEngine;

describe('error bodies, as existing clients read them', () => {
  let access: string;
  let send: (path: string, body?: unknown) => Promise<Response>;

  beforeAll(async () => {
    const headwater = createHeadwater({
      baseUrl: BASE,
      secret: crypto.getRandomValues(new Uint8Array(32)),
      stores: createMemoryStores(),
      identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
      pipelines: [samplePipeline],
      compute: {
        assets: createMemoryAssets(),
        pixels: untouched,
        earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
      },
    });
    await headwater.accounts.createUser({ username: 'asha', password: 'a long password' });
    ({ access } = await headwater.accounts.login({ username: 'asha', password: 'a long password' }, undefined));
    const handler = toFetchHandler(headwater.service);
    send = (path, body) => {
      const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      return handler(new Request(`http://localhost${path}`, init));
    };
  });

  const errorsOf = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await send(path, body);
    expect(answer.status).toBe(400);
    return (await answer.json()) as Record<string, unknown>;
  };

  it.each([[{}], [{ refresh_token: null }], [{ refresh_token: '' }], [{ refresh_token: 'broken' }]])(
    'logout with %j responds success: false',
    async (body) => {
      expect(await errorsOf('/api/v1/auth/logout/', body)).toMatchObject({ success: false, error: expect.any(String) });
    },
  );

  it('a user name of spaces counts as blank', async () => {
    const { errors } = await errorsOf('/api/v1/auth/login/', { username: '  ', password: 'x' });
    expect(errors).toEqual({ username: ['This field may not be blank.'] });
    const { errors: once } = await errorsOf('/api/v1/auth/login/', { username: '', password: 'x' });
    expect(once).toEqual({ username: ['This field may not be blank.'] });
  });

  it('an empty computing request lists every missing field', async () => {
    const { errors, status, message } = await errorsOf('/api/v1/sample_layer/', {});
    expect(Object.keys(errors as object).sort()).toEqual([
      'block',
      'district',
      'end_year',
      'eo_account_id',
      'start_year',
      'state',
    ]);
    expect([status, message]).toEqual(['error', expect.stringContaining('eo_account_id')]);
  });

  it('a body that is not an object is reported once', async () => {
    const { errors } = await errorsOf('/api/v1/sample_layer/', []);
    expect(errors).toEqual({ non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] });
  });

  it('null for an optional field counts as absent', async () => {
    const { errors } = await errorsOf('/api/v1/sample_layer/', {
      wait: null,
      execution_id: null,
      eo_account_id: 'x',
    });
    expect(Object.keys(errors as object)).not.toContain('wait');
    expect(Object.keys(errors as object)).not.toContain('execution_id');
    const { errors: bad } = await errorsOf('/api/v1/sample_layer/', { execution_id: 5 });
    expect(bad).toMatchObject({ execution_id: ['Not a valid string.'] });
  });

  it('the OpenAPI document names the public address as its server', async () => {
    expect(await (await send('/api/v1/openapi.json')).json()).toMatchObject({ servers: [{ url: BASE }] });
  });
});
