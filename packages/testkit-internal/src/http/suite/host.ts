import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, type Operation } from '@headwater/http-service';
import { describe, expect } from 'vitest';
import { createSampleService } from '../fixture/sample-service.ts';
import { createProbes } from '@headwater/testkit/http';
import { ANY, PROBE, PROBE_TAG } from '@headwater/testkit/http';
import { HOST_TEXT, type HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

/** Test cases of a host whose own routes, parsers and error handlers must not change. */
export function hostCases(target: HttpTarget): void {
  describe('the host', () => {
    const harness = useHarness(target);
    defineCase(target, "the host's routes, parser and error handler are untouched", async () => {
      const { get } = harness();
      expect(await (await get('/host')).json()).toEqual({ host: true });
      expect(await (await get('/host/echo', jsonInit({ a: 1 }))).json()).toEqual({ echo: { a: 1 } });
      const failed = await get('/host/throws');
      expect([failed.status, await failed.text()]).toEqual([500, HOST_TEXT.failure]);
    });
    defineCase(target, 'two services below two prefixes do not affect each other', async () => {
      const make = (version: string): ReturnType<typeof createSampleService> =>
        createSampleService({
          version,
          baseUrl: `http://headwater.example/${version}`,
          operations: createProbes().operations,
        });
      const [one, two] = await Promise.all([make('one'), make('two')]);
      const mounts = [one, two].map(({ service }, index) => ({ service, prefix: index === 0 ? '/one' : '/two' }));
      const host = await target.start({ mounts });
      try {
        for (const name of ['one', 'two']) {
          expect((await fetch(`${host.url}/${name}/api/health`)).status).toBe(200);
          const document: unknown = await (await fetch(`${host.url}/${name}/api/v1/openapi.json`)).json();
          expect(document).toMatchObject({ info: { version: name } });
          expect(await (await fetch(`${host.url}/${name}/probe/get`)).json()).toMatchObject({ path: '/probe/get' });
          expect((await fetch(`${host.url}/${name}/`)).status).toBe(200);
          expect(await (await fetch(`${host.url}/${name}/probe/body/`, jsonInit([name]))).json()).toEqual({
            body: [name],
          });
        }
        expect((await fetch(`${host.url}/api/health`)).status).toBe(418);
      } finally {
        await host.close();
        await Promise.all([one.close(), two.close()]);
      }
    });
    closingCase(target);
    defineCase(target, 'closing the service ends its streams and returns 503 to waiting requests', async () => {
      const headwater = await createSampleService();
      const host = await target.start({ mounts: [{ service: headwater.service, prefix: '' }] });
      const login = await fetch(
        `${host.url}/api/v1/auth/login/`,
        jsonInit({ username: 'operator', password: 'operator-password' }),
      );
      const { access } = (await login.json()) as { access: string };
      const headers = { authorization: `Bearer ${access}` };
      const body = { state: 'sample_state', district: 'sample_district', block: 'sample_tehsil', eo_account_id: 1 };
      const start = jsonInit({ ...body, start_year: 2020, end_year: 2020 }, headers);
      // Without a worker, the run stays queued and the event stream does not end.
      const { run_id: id } = (await (await fetch(`${host.url}/api/v1/lulc_for_tehsil/`, start)).json()) as {
        run_id: string;
      };
      const events = await fetch(`${host.url}/api/v1/runs/${id}/events/`, { headers });
      const text = events.text();
      const waiting = fetch(`${host.url}/api/v1/lulc_for_tehsil/?wait=true`, start);
      // A response to this request shows that the service has also received the waiting request.
      await fetch(`${host.url}/api/v1/runs/`, { headers });
      await headwater.close();
      expect(await text).toContain('"state":"queued"');
      expect((await waiting).status).toBe(503);
      await host.close();
    });
  });
}

function closingCase(target: HttpTarget): void {
  defineCase(target, 'closing the service waits for responses in progress before it closes the stores', async () => {
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const memory = createMemoryStores();
    let isClosed = false;
    const stores = {
      ...memory,
      ping: async () => await (isClosed ? Promise.reject(new Error('the stores are closed')) : memory.ping()),
      close: async () => void (isClosed = true),
    };
    const slow: Operation = {
      ...PROBE,
      id: 'probeSlow',
      method: 'GET',
      path: '/probe/slow',
      responses: { 200: ANY },
      async handler() {
        arrived.resolve();
        await go.promise;
        return { status: 200, json: await stores.ping() };
      },
    };
    const tags = { [PROBE_TAG]: 'operations for test suites only' };
    const secret = 'a key for suites only, never for a real service';
    const headwater = createHeadwater({
      baseUrl: 'http://headwater.example',
      secret,
      stores,
      operations: [slow],
      tags,
    });
    const host = await target.start({ mounts: [{ service: headwater.service, prefix: '' }] });
    const answer = fetch(`${host.url}/probe/slow`);
    await arrived.promise;
    const closed = headwater.close();
    const refused = await fetch(`${host.url}/probe/slow`);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'unavailable' }]);
    go.resolve();
    expect((await answer).status).toBe(200);
    await closed;
    expect(isClosed).toBe(true);
    await host.close();
  });
}
