import type { Headwater } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { type RealPixels, realPixels } from '../fixture/real-pixels.ts';
import { SAMPLE_GEOMETRY } from '../fixture/sample-place.ts';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import { formFields, type ScreenBrowser } from './screen-browser.ts';
import { signedInBrowser } from './screens.ts';

const ROUTE = '/api/v1/generate_outline_layer/';
const AREA = { state: 'Scope State', district: 'North', eo_account_id: 1, scope: 'district' };
const COMPUTE = '/dashboard/compute/';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Test cases of runs over a district or a state, by HTTP and on pages. */
export function scopeRunCases(target: HttpTarget): void {
  describe('a run over a district or a state', () => {
    let service: Headwater;
    let real: RealPixels;
    let host: RunningHost;
    let headers: Readonly<Record<string, string>>;
    let own: ScreenBrowser;
    let gate: PromiseWithResolvers<void> | undefined;
    const save = (district: string, tehsil: string, hasBoundary = true): Promise<unknown> =>
      service.stores.places.saveBundle({
        state: 'Scope State',
        district,
        tehsil,
        geometry: hasBoundary ? SAMPLE_GEOMETRY : null,
        mws: [],
        villages: [],
      });
    beforeAll(async () => {
      real = await realPixels();
      const forTehsil: typeof outlinePipeline = {
        ...outlinePipeline,
        aliases: ['outline_for_tehsil'],
        execute: async (params, ports, context) => {
          await gate?.promise;
          context.signal.throwIfAborted();
          return await outlinePipeline.execute(params, ports, context);
        },
      };
      const { needs: _, datasets: __, ...silent } = forTehsil;
      const unknown = { ...silent, name: 'unknown', route: 'generate_unknown_layer', aliases: [] };
      const partial: typeof outlinePipeline = {
        ...silent,
        name: 'partial',
        route: 'generate_partial_layer',
        aliases: [],
        needs: async ({ tehsilId }) => {
          const [names] = await service.stores.places.namesOf([tehsilId]);
          const need = { kind: 'layer', workspace: 'soil', layerName: 'map', tehsilId } as const;
          return names?.tehsil === 'Beta' ? [{ ...need, remedy: 'Import a soil map.' }] : [];
        },
      };
      service = await createSampleService({ pipelines: [forTehsil, unknown, partial], compute: real.compute });
      for (const name of ['Alpha', 'Beta']) await save('North', name);
      await save('North', 'Bare', false);
      await save('South', 'Gamma');
      await service.start();
      host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.owner));
      headers = { authorization: `Bearer ${((await login.json()) as { access: string }).access}` };
      own = await signedInBrowser(host.url, SAMPLE_USERS.owner);
    });
    afterAll(async () => {
      await service.close();
      await host.close();
      await real.remove();
    });
    const post = async (path: string, body: unknown = {}): Promise<Answer> => {
      const answer = await fetch(host.url + path, jsonInit(body, headers));
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };
    const get = async (path: string): Promise<Answer['body']> =>
      (await (await fetch(host.url + path, { headers })).json()) as Answer['body'];
    const started = async (body: unknown = AREA, route = ROUTE): Promise<string> => {
      const answer = await post(route, body);
      expect([answer.status, answer.body['status'], answer.body['asset_ids']]).toEqual([202, 'initiated', []]);
      return String(answer.body['run_id']);
    };
    const ended = async (id: string) => await service.runs.waitFor(id, AbortSignal.timeout(20_000));
    const reportOf = (id: string): Promise<Answer['body']> => get(`/api/v1/runs/${id}/tehsils/`);

    defineCase(
      target,
      'publishes all tehsils that succeed, reports the failed tehsil, and on request computes only this tehsil again',
      async () => {
        const id = await started();
        await ended(id);
        const run = await get(`/api/v1/runs/${id}/`);
        expect(run).toMatchObject({ state: 'failed', error: { code: 'dependency_failed' } });
        expect(run['params']).toMatchObject({
          scope: 'district',
          district: 'North',
          eo_account_id: 1,
          computes: 'tehsil_outline',
        });
        const report = await reportOf(id);
        expect(report).toMatchObject({
          status: 'failed',
          tehsils: 3,
          counts: { success: 2, failed: 1 },
          remaining: null,
          progress: 1,
        });
        expect(report['results']).toEqual(
          expect.arrayContaining([
            expect.objectContaining({
              block: 'Bare',
              state: 'failed',
              run_id: null,
              error: expect.objectContaining({ code: 'validation' }),
            }),
            expect.objectContaining({
              block: 'Alpha',
              state: 'success',
              run: expect.stringContaining('/api/v1/runs/'),
            }),
          ]),
        );
        const idsOf = async (query: string): Promise<readonly string[]> => {
          const { results } = await get(`/api/v1/runs/?${query}`);
          return (results as readonly { readonly run_id: string }[]).map((each) => each.run_id);
        };
        const children = (report['results'] as readonly { readonly run_id: string | null }[]).flatMap(
          (part) => part.run_id ?? [],
        );
        const byDefault = await idsOf('limit=100');
        expect([byDefault.includes(id), children.filter((child) => byDefault.includes(child))]).toEqual([true, []]);
        expect(new Set(await idsOf(`parent=${id}`))).toEqual(new Set(children));
        expect(await idsOf('parent=any&limit=100')).toEqual(expect.arrayContaining([id, ...children]));
        expect(await get(`/api/v1/runs/?parent=${id}&limit=1`)).toMatchObject({
          next: expect.stringMatching(new RegExp(`offset=1&parent=${id}$`)),
        });
        expect(await get('/api/v1/runs/?parent=7')).toMatchObject({
          errors: { parent: ['Must be the id of a run, or any.'] },
        });
        expect((await own.open(`/api/v1/runs/?parent=${id}&limit=1`)).body).toContain(`offset=1&amp;parent=${id}`);
        const dashboard = (await own.open('/dashboard/')).body;
        expect([dashboard.includes(id), children.some((child) => dashboard.includes(child))]).toEqual([true, false]);
        const page = await own.open(`/api/v1/runs/${id}/`);
        expect(page.body).toMatch(/2 of 3 are published, 1 failed\./);
        expect(page.body).toMatch(/<th scope="row">Bare, North<\/th>[^]*has no boundary/);
        expect((await own.open(`/api/v1/runs/${id}/`, { 'accept-language': 'hi' })).body).toContain(
          'तहसीलों की गणना फिर से करें',
        );
        await save('North', 'Bare');
        const form = await own.submit(`/api/v1/runs/${id}/`, {}, `/dashboard/runs/${id}/retry/`);
        const next = /runs\/([0-9a-f-]{36})\/$/.exec(form.location ?? '')?.[1] ?? '';
        expect([form.status, next === id]).toEqual([303, false]);
        expect(await ended(next)).toMatchObject({ state: 'success', timings: { tehsils: 3, reused: 2 } });
        expect((await post(`/api/v1/runs/${next}/retry/`)).status).toBe(409);
        const again = await post(`/api/v1/runs/${id}/retry/`);
        expect(again.status).toBe(202);
        await ended(String(again.body['run_id']));
      },
    );

    defineCase(
      target,
      'also has separate routes for districts and states, and refuses names of units below the scope',
      async () => {
        const { scope: _, district: __, ...state } = AREA;
        expect(await ended(await started(state, '/api/v1/outline_for_state/'))).toMatchObject({
          timings: { tehsils: 4 },
        });
        const { scope: ___, ...district } = AREA;
        expect(
          await ended(await started({ ...district, line_width: 3 }, '/api/v1/outline_for_district/')),
        ).toMatchObject({ timings: { tehsils: 3 } });
        for (const [body, field] of [
          [{ ...AREA, block: 'Alpha' }, 'block'],
          [{ ...AREA, scope: 'state' }, 'district'],
          [{ ...AREA, scope: 'country' }, 'scope'],
          [{ ...AREA, district: undefined }, 'district'],
          [{ ...AREA, line_width: 99 }, 'line_width'],
          [{ ...AREA, scope: 'tehsil' }, 'block'],
        ] as const) {
          const answer = await post(ROUTE, body);
          expect([field, answer.status, Object.keys(Object(answer.body['errors'] ?? answer.body))]).toEqual([
            field,
            400,
            expect.arrayContaining([field]),
          ]);
        }
        expect((await post(ROUTE, { ...AREA, district: 'Nowhere' })).status).toBe(404);
      },
    );

    defineCase(target, 'is estimated by a dry run, which stores nothing', async () => {
      const before = await get('/api/v1/runs/');
      const tehsil = await post(`${ROUTE}?dry_run=true`, { ...AREA, scope: 'tehsil', block: 'Alpha' });
      expect(tehsil).toMatchObject({
        status: 200,
        body: { dry_run: true, tehsils: 1, scenes: 0, bytes: 0, requests: 0, missing: null },
      });
      const all = await post(`${ROUTE}?dry_run=true`, AREA);
      expect(all).toMatchObject({ status: 200, body: { tehsils: 3, sampled: 3, lacking: 0, is_measured: true } });
      expect(Number(all.body['minutes'])).toBeGreaterThan(Number(tehsil.body['minutes']));
      const unknown = await post('/api/v1/generate_unknown_layer/?dry_run=true', AREA);
      expect(unknown).toMatchObject({ status: 200, body: { scenes: null, bytes: null, requests: null } });
      expect(await get('/api/v1/runs/')).toMatchObject({ count: before['count'] });
      expect((await post(`${ROUTE}?dry_run=true`, { ...AREA, scope: 'tehsil', block: 'Nowhere' })).status).toBe(404);
    });

    defineCase(target, 'can be paused, resumed and cancelled by its owner; another user gets 404', async () => {
      gate = Promise.withResolvers();
      const id = await started({ ...AREA, scope: 'state', district: undefined, line_width: 7 });
      const counts = async () => (await reportOf(id))['counts'];
      await expect.poll(async () => Object(await counts()).running, { timeout: 10_000 }).toBeGreaterThan(0);
      const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.other));
      const other = { authorization: `Bearer ${((await login.json()) as { access: string }).access}` };
      for (const action of ['pause', 'resume', 'retry'])
        expect((await fetch(`${host.url}/api/v1/runs/${id}/${action}/`, jsonInit({}, other))).status).toBe(404);
      expect((await fetch(`${host.url}/api/v1/runs/${id}/tehsils/`, { headers: other })).status).toBe(404);
      expect((await post(`/api/v1/runs/${id}/pause/`)).status).toBe(200);
      expect((await post(`/api/v1/runs/${id}/resume/`)).body).toMatchObject({ run_id: id });
      expect((await post(`/api/v1/runs/${id}/cancel/`)).status).toBe(202);
      gate.resolve();
      gate = undefined;
      expect(await ended(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      const { runs } = await service.stores.runs.list({ parentId: id, limit: 99, offset: 0 });
      for (const run of runs) expect((await ended(run.id)).error?.code).toBe('cancelled');
      expect((await reportOf(id))['counts']).toMatchObject({ success: 0 });
      for (const action of ['pause', 'resume']) expect((await post(`/api/v1/runs/${id}/${action}/`)).status).toBe(409);
    });

    defineCase(target, 'is started by the form, which names the area on its last page', async () => {
      const place = { state: 'Scope State', district: 'North', tehsil: 'Alpha' };
      const typed = {
        ...place,
        layer: 'tehsil_outline',
        eo_account_id: '1',
        line_width: '9',
        scope: 'district',
        check: '1',
      };
      const at = (fields: Readonly<Record<string, string>>): string =>
        `${COMPUTE}?${new URLSearchParams(fields).toString()}`;
      const { check: _, ...unchecked } = typed;
      expect((await own.open(at(unchecked))).body).toMatch(/<select id="scope"[^]*All tehsils of the district North/);
      const last = await own.open(at(typed));
      expect(last.body).toMatch(/All tehsils of the district North[^]*These figures are for Alpha alone/);
      const fields = formFields(last, 'check', false);
      const estimate = await own.post(COMPUTE, formFields(last, 'check', true));
      expect(estimate.body).toMatch(/<th scope="row">Tehsils<\/th>\s*<td>3<\/td>[^]*HTTP requests<\/th>\s*<td>0</);
      expect(estimate.body).not.toContain('These figures are for');
      expect(formFields(estimate, 'check', false)).toEqual(fields);
      for (const check of ['1', 'estimate'])
        expect((await own.post(COMPUTE, { ...fields, check, scope: 'country' })).status).toBe(400);
      expect((await own.open(at({ ...typed, scope: 'country' }))).status).toBe(400);
      expect(fields).toMatchObject({ with_dependencies: 'true' });
      const done = await own.post(COMPUTE, fields);
      const id = /runs\/([0-9a-f-]{36})\/$/.exec(done.location ?? '')?.[1] ?? '';
      expect(await ended(id)).toMatchObject({
        pipeline: 'scope_run',
        params: { withDependencies: true },
        timings: { tehsils: 3 },
      });
      expect((await own.open('/dashboard/')).body).toMatch(/tehsil outline, North/);
    });

    defineCase(target, 'warns next to the start button if the estimate finds a tehsil without data', async () => {
      const place = { state: 'Scope State', district: 'North', tehsil: 'Alpha' };
      const query = new URLSearchParams({
        ...place,
        layer: 'partial',
        eo_account_id: '1',
        scope: 'district',
        check: '1',
      });
      const last = await own.open(`${COMPUTE}?${query.toString()}`);
      expect(last.body).not.toContain('no computation of this service makes them');
      const estimate = await own.post(COMPUTE, formFields(last, 'check', true));
      expect(estimate.body).toMatch(
        /Data are missing for 1 of the \d examined[^]*no computation of this service makes them[^]*Start the computation/,
      );
      expect(estimate.body.match(/Import a soil map/g)).toHaveLength(1);
    });
  });
}
