import { toFetchHandler } from '@headwater/http-service';
import type { Headwater } from '@headwater/http-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outlinePipeline } from '../pipelines/outline-pipeline.ts';
import { createSampleService, SAMPLE_USERS } from './fixture/sample-service.ts';
import { jsonInit } from './suite/harness.ts';

// Tests requests that are sent more than once, such as by a workflow or a double click.

const BODY = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
const ROUTE = '/api/v1/generate_outline_layer/';

let service: Headwater;
let post: (body: object, headers?: Record<string, string>, path?: string) => Promise<Answer>;
let present = 'one';

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

beforeEach(async () => {
  present = 'one';
  const pipeline: typeof outlinePipeline = {
    ...outlinePipeline,
    inputs: async () => present,
    execute: async (...parameters) => ({ ...(await outlinePipeline.execute(...parameters)), inputs: present }),
  };
  service = await createSampleService({ pipelines: [pipeline] });
  await service.start();
  const fetchHandler = toFetchHandler(service.service);
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetchHandler(new Request(`http://headwater.example${path}`, init));
  const login = await ask('/api/v1/auth/login/', jsonInit(SAMPLE_USERS.owner));
  const { access } = (await login.json()) as { access: string };
  post = async (body, headers = {}, path = ROUTE) => {
    const answer = await ask(path, jsonInit(body, { authorization: `Bearer ${access}`, ...headers }));
    const parsed = (await answer.json()) as Answer['body'];
    return { status: answer.status, location: answer.headers.get('location'), body: parsed };
  };
});
afterEach(() => service.close());

describe('a repeated request', () => {
  it('returns the stored result and reports that in its body', async () => {
    const first = await post({ ...BODY, wait: true });
    expect(first).toMatchObject({ status: 200, body: { joined: false, reused: false } });
    const again = await post(BODY);
    expect(again).toMatchObject({
      status: 200,
      location: first.location,
      body: { status: 'success', joined: true, reused: true, run_id: first.body['run_id'] },
    });
    expect(again.body['stac_items']).toEqual(first.body['stac_items']);
  });

  it.each([
    [{ overwrite: true }, ROUTE],
    [{ overwrite: 'true' }, ROUTE],
    [{}, `${ROUTE}?overwrite=true`],
    [{}, `${ROUTE}?overwrite=1`],
  ])('with %j at %s is computed again', async (extra, path) => {
    const first = await post({ ...BODY, wait: true });
    const again = await post({ ...BODY, ...extra }, {}, path);
    expect(again).toMatchObject({ status: 202, body: { joined: false, reused: false } });
    expect(again.body['run_id']).not.toBe(first.body['run_id']);
  });

  it('is computed again after its inputs changed', async () => {
    await post({ ...BODY, wait: true });
    present = 'two';
    expect(await post(BODY)).toMatchObject({ status: 202, body: { joined: false, reused: false } });
  });

  it('is refused if its overwrite is neither true nor false', async () => {
    expect((await post({ ...BODY, overwrite: 'maybe' })).status).toBe(400);
  });
});

describe('Idempotency-Key', () => {
  const key = (text: string): Record<string, string> => ({ 'idempotency-key': text });

  it('with the same body returns the run of the first response, whether the key is quoted or not', async () => {
    const first = await post({ ...BODY, wait: true }, key('"8e03978e-40d5"'));
    present = 'two';
    for (const form of ['"8e03978e-40d5"', '8e03978e-40d5'])
      expect(await post(BODY, key(form))).toMatchObject({
        status: 200,
        body: { joined: true, run_id: first.body['run_id'] },
      });
  });

  it('with another body returns 422 with a message', async () => {
    await post(BODY, key('"k"'));
    const answer = await post({ ...BODY, line_width: 7 }, key('"k"'));
    expect(answer).toMatchObject({ status: 422, body: { code: 'key_reused', status: 'error' } });
    expect(answer.body['message']).toMatch(/^Idempotency-Key: .*another body/);
  });

  it.each(['""', '"unclosed', 'two words', '"a"b', `"${'x'.repeat(256)}"`, '"a", "b"'])(
    'with the value %j is refused with a message that names the header',
    async (text) => {
      const answer = await post(BODY, key(text));
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('Idempotency-Key');
    },
  );

  it('may be sent by pages of other origins', async () => {
    const fetchHandler = toFetchHandler(service.service);
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    const answer = await fetchHandler(new Request(`http://headwater.example${ROUTE}`, { method: 'OPTIONS', headers }));
    expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });
});
