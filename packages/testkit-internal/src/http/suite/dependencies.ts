import { type AnyPipeline, DomainError } from '@headwater/core';
import { createHeadwater, type Headwater } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import type { Point } from 'geojson';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { drynessPipeline } from '../../pipelines/dryness-pipeline.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { WETNESS_TABLE, wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { type RealPixels, realPixels } from '../fixture/real-pixels.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { createSampleService, SAMPLE_SECRET, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const ROUTE = '/api/v1/generate_wetness_layer/';
const TABLES = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
const BODY = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };

const broken: AnyPipeline = {
  ...outlinePipeline,
  name: 'broken',
  route: 'generate_broken',
  aliases: [],
  execute: async () => Promise.reject(new DomainError('input_data', 'The soil map has no soil.')),
};
const needy: AnyPipeline = {
  ...wetnessPipeline,
  name: 'needy',
  route: 'generate_needy',
  dependsOn: ['broken'],
  needs: () => {
    const request = { state: BODY.state, district: BODY.district, tehsil: BODY.block, eoAccountId: 1 };
    return [{ kind: 'table', name: 'soil', tehsilId: 1, pipeline: 'broken', request }];
  },
};

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Test cases of an embedder's pipeline that needs another layer and publishes raster, table and series. */
export function dependencyCases(target: HttpTarget): void {
  describe('a pipeline that needs the layer of another pipeline', () => {
    let service: Headwater;
    let real: RealPixels;
    let host: RunningHost;
    let headers: Readonly<Record<string, string>>;
    beforeAll(async () => {
      // `follows` depends on the first pipeline. `generate_layer_in_order` runs both for `map_2_2`.
      const dependsOn = ['tehsil_outline'];
      const follows = { ...outlinePipeline, name: 'follows', route: 'lulc_vector', aliases: [], dependsOn };
      const rival = { ...outlinePipeline, name: 'rival', route: 'generate_rival', aliases: [] };
      const first = { ...outlinePipeline, aliases: [...outlinePipeline.aliases, 'lulc_v3'] };
      real = await realPixels();
      const { compute } = real;
      service = await createSampleService({
        pipelines: [first, wetnessPipeline, drynessPipeline, follows, broken, needy, rival],
        compute,
      });
      await service.start();
      host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.owner));
      headers = { authorization: `Bearer ${((await login.json()) as { access: string }).access}` };
    });
    afterAll(async () => {
      await service.close();
      await host.close();
      await real.remove();
    });
    const post = async (path: string, body: unknown): Promise<Answer> => {
      const answer = await fetch(host.url + path, jsonInit(body, headers));
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };
    const get = (path: string, more: Record<string, string> = {}): Promise<Response> =>
      fetch(host.url + path, { headers: more });

    defineCase(target, 'fails with an error that contains the request for the missing layer', async () => {
      const { status, body } = await post(ROUTE, BODY);
      const producer = { method: 'POST', path: '/api/v1/generate_outline_layer/', body: { ...BODY, line_width: 1 } };
      const name = 'layer outlines:outline_sample_district_sample_tehsil';
      expect([status, body]).toMatchObject([
        409,
        { code: 'missing_layer', status: 'error', missing: [{ name, kind: 'layer', made_by: producer }] },
      ]);
      const message = `${name} is missing; POST ${producer.path} with ${JSON.stringify(producer.body)} computes it. Or send with_dependencies=true to compute the missing ones first.`;
      expect([body['message'], body['detail'], body['error']]).toEqual([message, message, message]);
    });

    defineCase(target, 'rejects a with_dependencies that is neither true nor false', async () => {
      expect(await post(ROUTE, { ...BODY, with_dependencies: 'maybe' })).toMatchObject({
        status: 400,
        body: { errors: { with_dependencies: ['Must be true or false.'] } },
      });
    });

    defineCase(target, 'computes the layer first if requested, and publishes raster, table and series', async () => {
      const accepted = await post(`${ROUTE}?with_dependencies=true`, BODY);
      expect(accepted).toMatchObject({ status: 202, body: { after: [expect.any(String)], joined: false } });
      const id = String(accepted.body['run_id']);
      const { status, body } = await post(ROUTE, { ...BODY, with_dependencies: true, wait: true });
      expect([status, body['run_id']]).toEqual([200, id]);
      const [before] = accepted.body['after'] as readonly string[];
      const child = (await (await fetch(`${host.url}/api/v1/runs/${before ?? ''}/`, { headers })).json()) as object;
      expect(child).toMatchObject({ pipeline: 'tehsil_outline', state: 'success', parent_run_id: id, after: [] });
      const log = await (await fetch(`${host.url}/api/v1/runs/${id}/log/`, { headers })).text();
      expect(log).toContain(
        `waits for run ${before ?? ''}, which computes layer outlines:outline_sample_district_sample_tehsil`,
      );
      expect(log).toContain(`computed from outline_sample_district_sample_tehsil, published by run ${before ?? ''}`);
      const [item] = body['stac_items'] as readonly {
        assets: Record<string, { href: string; type: string; roles: string[] }>;
      }[];
      expect(validateItem(item ?? {}, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
      const base = `http://headwater.example${TABLES}${WETNESS_TABLE}/`;
      expect(item?.assets[`table_${WETNESS_TABLE}`]).toMatchObject({
        href: base,
        type: 'application/json',
        roles: ['data'],
      });
      expect(item?.assets[`table_${WETNESS_TABLE}_csv`]).toMatchObject({
        href: `${base}?format=csv`,
        type: 'text/csv',
      });
      const { data, places } = service.stores;
      const [state] = await places.states();
      const [district] = await places.districts(state?.id ?? 0);
      const [tehsil] = await places.tehsilUnits(district?.id ?? 0);
      const series = await data.seriesOf(tehsil?.id ?? 0, '12_100174');
      expect(series.filter(({ name }) => name === 'wetness_fortnight')).toMatchObject([
        {
          name: 'wetness_fortnight',
          dates: ['2021-07-01', '2021-07-15', '2021-07-29'],
          values: [1 / 3, null, Math.cos(2) / 3],
        },
      ]);
    });

    defineCase(target, 'computes a chain of three pipelines in order, and publishes two rasters', async () => {
      const place = { ...SAMPLE_PLACE, tehsil: 'Third Tehsil', mws: [] };
      await service.stores.places.saveBundle(place);
      const request = { ...BODY, block: place.tehsil, with_dependencies: true, wait: true };
      const { status, body } = await post('/api/v1/generate_dryness_layer/', request);
      expect([status, body['error']]).toEqual([200, undefined]);
      const bands = (body['stac_items'] as readonly { assets: Record<string, Record<string, unknown>> }[]).map(
        ({ assets }) => Object(assets['cog']?.['bands'])[0] as Record<string, unknown>,
      );
      expect(bands).toMatchObject([
        { name: 'permille', data_type: 'int16', nodata: -32_768, unit: 'per mille' },
        { name: 'square', data_type: 'float32', nodata: 'nan' },
      ]);
      for (const [i, name] of ['permille', 'square'].entries()) {
        const layer = await service.stores.catalog.layer(
          `dryness_${name}`,
          `dryness_sample_district_third_tehsil_${name}`,
        );
        const path = (await real.compute.assets.localPath?.(layer?.assetKey ?? '')) ?? '';
        expect(await real.compute.pixels.gridOf(path)).toMatchObject({
          type: i === 0 ? 'int16' : 'float32',
          cols: 10,
        });
        const at: Point = { type: 'Point', coordinates: [85.015, 24.095] };
        const work = { signal: AbortSignal.timeout(9000), progress: () => {} };
        const { values } = await real.compute.pixels.valuesIn({ path, geometries: [at], most: 9 }, work);
        expect(values[0]).toBeCloseTo(i === 0 ? Math.round(-1000 * Math.sin(1)) : Math.sin(1) ** 2, 6);
      }
    });

    defineCase(target, 'createHeadwater rejects invalid pipelines with a message that names them', async () => {
      const options = { baseUrl: 'http://headwater.example', secret: SAMPLE_SECRET };
      const outline: AnyPipeline = { ...outlinePipeline, dependsOn: ['dryness'] };
      for (const [pipelines, message] of [
        [[outline, wetnessPipeline, drynessPipeline], 'tehsil_outline -> dryness -> wetness -> tehsil_outline'],
        [[wetnessPipeline], 'wetness depends on tehsil_outline, which is not registered'],
        [
          [outlinePipeline, { ...wetnessPipeline, route: 'outline' }],
          'tehsil_outline and wetness share the route or alias outline',
        ],
        [[outlinePipeline, outlinePipeline], 'two pipelines are named tehsil_outline'],
      ] as const)
        expect(() => createHeadwater({ ...options, pipelines })).toThrow(message);
    });

    defineCase(target, 'fails with the error of its failed dependency', async () => {
      const request = { ...BODY, with_dependencies: 'true', wait: true };
      const message =
        /^This run needs table soil, which is missing because run [0-9a-f-]{36} failed\. The soil map has no soil\.$/;
      expect(await post('/api/v1/generate_needy/', request)).toMatchObject({
        status: 424,
        body: { code: 'dependency_failed', status: 'failed', message: expect.stringMatching(message) },
      });
    });

    defineCase(target, 'returns its stored result until the layer that it needs changes', async () => {
      const again = await post(`${ROUTE}?wait=true`, BODY);
      expect(again).toMatchObject({ status: 200, body: { reused: true } });
      await post('/api/v1/generate_outline_layer/?wait=true&overwrite=true', BODY);
      expect(await post(`${ROUTE}?wait=true`, BODY)).toMatchObject({ status: 200, body: { reused: false } });
    });

    defineCase(
      target,
      'its table is served as JSON and as CSV that is safe for spreadsheets; a known ETag gets 304',
      async () => {
        const list = (await (await get(TABLES)).json()) as { tables: readonly { name: string; row_count: number }[] };
        expect(list.tables.map(({ name, row_count: rows }) => [name, rows])).toContainEqual([WETNESS_TABLE, 2]);
        const answer = await get(`${TABLES}${WETNESS_TABLE}/`);
        const table = (await answer.json()) as { rows: readonly object[]; columns: readonly object[] };
        const item_id = 'sample_state_sample_district_sample_tehsil_wetness';
        expect(table).toMatchObject({ name: WETNESS_TABLE, key: 'uid', version: 2, item_id });
        expect(table.rows[0]).toMatchObject({ uid: '12_100174', wetness: 1 / 3, months: [7, 8] });
        const etag = answer.headers.get('etag') ?? '';
        const known = await get(`${TABLES}${WETNESS_TABLE}/`, { 'if-none-match': etag });
        expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
        const csv = await get(`${TABLES}${WETNESS_TABLE}/?format=csv`, { 'if-none-match': etag });
        expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
        expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${WETNESS_TABLE}.csv"`);
        const [head, first] = (await csv.text()).split('\r\n');
        expect(head).toBe('uid,area_in_ha,wetness,remark,months');
        expect(first).toMatch(
          /^12_100174,[\d.]+,0\.3333333333333333,"'=HYPERLINK\(""http:\/\/x\.example""\)","\[7,8\]"$/,
        );
        expect((await fetch(`${host.url}${TABLES}${WETNESS_TABLE}/`, { method: 'HEAD' })).status).toBe(200);
        for (const path of ['nothing/', '..%2f/'])
          expect((await get(TABLES + path)).status).toBeGreaterThanOrEqual(400);
      },
    );

    defineCase(
      target,
      'a pipeline that would replace the layer of another pipeline fails with a message that names both',
      async () => {
        const message =
          /^Layer outlines:outline_sample_district_sample_tehsil is published by pipeline (tehsil_outline|follows), and pipeline rival would replace it; /;
        expect(await post('/api/v1/generate_rival/?wait=true', BODY)).toMatchObject({
          body: { status: 'failed', code: 'conflict', message: expect.stringMatching(message) },
        });
      },
    );

    defineCase(
      target,
      'generate_layer_in_order starts the available layers of a map in order and names all other layers',
      async () => {
        const years = { start_year: 2021, end_year: 2023 };
        const order = { ...BODY, ...years, gee_account_id: 1, map: 'map_2_2', overwrite: true };
        const { status, body } = await post('/api/v1/generate_layer_in_order/', order);
        expect(status).toBe(200);
        const runs = body['runs'] as readonly { node: string; run_id: string; after: readonly string[] }[];
        expect(body).toMatchObject({
          Success: 'Successfully initiated',
          runs: [
            { node: 'lulc_v3', pipeline: 'tehsil_outline', after: [] },
            { node: 'lulc_vector', pipeline: 'follows', after: [runs[0]?.run_id] },
          ],
        });
        expect(body['not_available']).toContain('change_detection_vector');
        expect(body['not_available']).toHaveLength(7);
        const group = await service.runs.waitFor(String(body['run_id']), AbortSignal.timeout(20_000));
        expect(group).toMatchObject({ state: 'success', after: runs.map((each) => each.run_id) });
        expect((await service.stores.runs.get(runs[1]?.run_id ?? ''))?.parentId).toBe(group.id);
        const page = await get(`/api/v1/runs/${group.id}/`, { ...headers, accept: 'text/html' });
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        const none = await post('/api/v1/generate_layer_in_order/', { ...order, map: 'map_1' });
        expect(none).toMatchObject({ status: 200, body: { run_id: null, runs: [], status: 'not_available' } });
        expect(none.body['Success']).toBe('Nothing initiated: this service has no pipeline for any layer of map_1');
        const wrong = await post('/api/v1/generate_layer_in_order/', { ...order, map: 'map_9' });
        expect(wrong).toMatchObject({ status: 400, body: { errors: { map: [expect.stringContaining('map_2_1')] } } });
      },
    );
  });
}
