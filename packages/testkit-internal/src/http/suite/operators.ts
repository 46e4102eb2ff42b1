import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryAssets } from '@headwater/core/memory';
import {
  EXAMPLE_LAYERS,
  EXAMPLE_NAMES,
  EXAMPLE_PLACE,
  EXAMPLE_RUN,
  type HeadwaterOptions,
} from '@headwater/http-service';
import { createImporters } from '@headwater/ingest';
import { lulcPipeline } from '@headwater/land-cover';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const API = '/api/v1/';
const { raster, vector } = EXAMPLE_LAYERS;
/** Layers of the same Item as the sample's vector layer. */
const OTHERS = ['mws_sample_district_sample_tehsil', 'sample_district_sample_tehsil'];
const RING = '85,24 85.01,24 85.01,24.01 85,24.01 85,24';
const PLACEMARK = `<Placemark><ExtendedData><Data name="uid"><value>12_77</value></Data></ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>${RING}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
const kml = (content: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Test cases of routes for operators' dashboards. */
export function operatorCases(target: HttpTarget): void {
  const start = async (options: Partial<HeadwaterOptions> = {}) => {
    const sample = await createSampleService(options);
    const host = await target.start({ mounts: [{ service: sample.service, prefix: '' }] });
    onTestFinished(async () => {
      await sample.close();
      await host.close();
    });
    const signIn = async (who: keyof typeof SAMPLE_USERS): Promise<Record<string, string>> => {
      const login = await fetch(`${host.url}${API}auth/login/`, jsonInit(SAMPLE_USERS[who]));
      const { access } = (await login.json()) as { readonly access: string };
      return { authorization: `Bearer ${access}` };
    };
    const [operator, owner, other] = [await signIn('operator'), await signIn('owner'), await signIn('other')];
    const send = async (route: string, init: RequestInit): Promise<Answer> => {
      const answer = await fetch(`${host.url}${API}${route}`, init);
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };
    const post = (route: string, body: object, headers = operator) => send(route, jsonInit(body, headers));
    const read = (route: string, headers = owner) => send(route, { headers });
    return { sample, post, read, send, operator, owner, other, url: host.url };
  };

  describe('routes of operators', () => {
    defineCase(
      target,
      'list the layers of a tehsil with the numbers of their features, and report layers whose file is missing',
      async () => {
        const assets = createMemoryAssets();
        const { post, read, owner } = await start({ compute: { assets } });
        const status = async (): Promise<unknown> => (await post('layer_status_dashboard/', EXAMPLE_PLACE, owner)).body;
        const before = (await status()) as { result: Record<string, { layer_name: string; status_code: number }> };
        const named = Object.values(before.result).filter(({ layer_name: name }) => name !== '');
        expect(new Map(named.map(({ layer_name: name, status_code: code }) => [name, code]))).toEqual(
          new Map([...OTHERS, raster.name, vector.name].map((name) => [name, 200])),
        );
        expect(named.find(({ layer_name: name }) => name === vector.name)).toEqual({
          workspace: vector.workspace,
          layer_name: vector.name,
          status_code: 200,
          totalFeature: expect.any(Number),
          startDate: expect.stringMatching(/^20/),
          endDate: expect.stringMatching(/^20/),
        });
        await assets.discard(EXAMPLE_RUN, 1);
        const after = (await status()) as typeof before;
        const codes = Object.values(after.result).map(({ status_code: code }) => code);
        expect(new Set(codes)).toEqual(new Set([400]));
        const query = `?workspace=${vector.workspace}`;
        expect(await read(`get_layers_in_workspace/${query}`)).toEqual({
          status: 200,
          body: { result: { valid_layer: [], invalid_layers: [vector.name] } },
        });
        const missing = {
          layer_name: vector.name,
          problem: 'missing',
          message: expect.stringContaining('compute or import the layer again'),
        };
        expect(await read(`missing_layers/${query}`)).toEqual({
          status: 200,
          body: { result: [vector.name], differences: [missing] },
        });
      },
    );

    defineCase(
      target,
      'unpublish a layer once, only for superusers, with the same audit entry as on the admin pages',
      async () => {
        const { sample, post, read, owner } = await start();
        const named = { workspace: vector.workspace, layer_name: vector.name };
        expect((await post('delete_layer/', named, owner)).status).toBe(403);
        const { runs, audit, catalog } = sample.stores;
        const layer = await catalog.layer(vector.workspace, vector.name);
        const busy = {
          id: EXAMPLE_RUN.replace(/.$/, '9'),
          pipeline: lulcPipeline.name,
          fingerprint: 'busy',
          ownerId: 1,
        };
        await runs.enqueue({ ...busy, params: { startYear: 2020, tehsilId: layer?.tehsilId } });
        expect(await post('delete_layer/', named)).toMatchObject({
          status: 409,
          body: { status: 'error', message: expect.stringContaining(busy.id) },
        });
        await runs.requestCancel(busy.id);
        expect(await post('delete_layer/', named)).toMatchObject({
          status: 200,
          body: { unpublished: expect.arrayContaining([`${vector.workspace}:${vector.name}`]) },
        });
        expect(await post('delete_layer/', named)).toMatchObject({ status: 404, body: { code: 'not_found' } });
        expect(await audit.latest({ limit: 5 })).toMatchObject([
          {
            actorName: SAMPLE_USERS.operator.username,
            resource: 'layers',
            rowId: `${vector.workspace}:${vector.name}`,
            action: 'unpublish',
            changes: { run: { before: EXAMPLE_RUN, after: '' } },
          },
        ]);
        expect((await read(`get_layers_in_workspace/?workspace=${vector.workspace}`)).status).toBe(404);
      },
    );

    defineCase(
      target,
      'report the state of a run in the terms of Earth Engine; without Earth Engine, get_gee_layer returns 503 with alternatives',
      async () => {
        const { sample, post, owner, other } = await start();
        const stateOf = async (id: string, who = owner) => {
          const { status, body } = await post('gee_task_status/', { task_id: id }, who);
          return [status, (body['Response'] as Record<string, unknown> | undefined)?.['state'] ?? body['code']];
        };
        expect(await stateOf(EXAMPLE_RUN)).toEqual([200, 'COMPLETED']);
        expect(await stateOf(EXAMPLE_RUN, other)).toEqual([404, 'not_found']);
        const id = EXAMPLE_RUN.replace(/.$/, '9');
        const queued = { id, pipeline: lulcPipeline.name, params: { startYear: 2020 }, fingerprint: 'q', ownerId: 1 };
        await sample.stores.runs.enqueue(queued);
        expect(await stateOf(id)).toEqual([200, 'READY']);
        await sample.stores.runs.requestCancel(id);
        expect(await stateOf(id)).toEqual([200, 'CANCELLED']);
        expect(await post('get_gee_layer/', EXAMPLE_PLACE, owner)).toMatchObject({
          status: 503,
          body: {
            detail: expect.stringMatching(/No Earth Engine is connected.*get_generated_layer_urls.*lulc_for_tehsil/),
          },
        });
      },
    );

    defineCase(target, 'report exports to Earth Engine, and compute with its accounts', async () => {
      const eoExporter = () => ({ start: () => {}, close: async () => {}, wake: () => {} });
      const { sample, post, owner, other, operator } = await start({ eoExporter });
      const { eoExports, eoAccounts, catalog } = sample.stores;
      const { workspace, name } = EXAMPLE_LAYERS.raster;
      const layer = await catalog.layer(workspace, name);
      const id = EXAMPLE_RUN.replace(/.$/, '9');
      const createdAt = '2026-11-29T00:00:00.000Z';
      const exported = { id, workspace, layerName: name, assetKey: layer?.assetKey ?? '', accountId: 1, createdAt };
      await eoExports.add(exported);
      const claimed = await eoExports.claim(new Date(createdAt), 1000);
      if (claimed === undefined) throw new Error('nothing is due');
      const assetPath = 'projects/p/assets/a';
      await eoExports.save(claimed, { state: 'failed', assetPath, problem: 'Permission denied. Retry.' });
      const response = { state: 'FAILED', asset_path: assetPath, error_message: 'Permission denied. Retry.' };
      expect(await post('gee_task_status/', { task_id: id }, owner)).toMatchObject({
        status: 200,
        body: { Response: { ...response, run: expect.stringContaining(EXAMPLE_RUN) } },
      });
      expect((await post('gee_task_status/', { task_id: id }, other)).status).toBe(404);
      const reasons = [
        [owner, 'Permission denied. Retry.'],
        [operator, 'Permission denied. Retry.'],
        [other, null],
      ] as const;
      for (const [who, message] of reasons)
        expect(await post('get_gee_layer/', EXAMPLE_PLACE, who)).toMatchObject({
          status: 200,
          body: {
            Success: '0 of 1 exports to Earth Engine are complete',
            layers: [{ layer_name: name, task_id: id, state: 'FAILED', error_message: message }],
          },
        });
      const account = await eoAccounts.create({
        name: 'ee',
        accountEmail: null,
        isVisible: true,
        platform: 'earth_engine',
      });
      const request = { ...EXAMPLE_PLACE, start_year: 2020, end_year: 2020, gee_account_id: account.id };
      expect((await post('lulc_for_tehsil/', request, owner)).body).toMatchObject({ status: 'initiated' });
    });

    defineCase(target, 'import a KML file of a superuser, and refuse other files', async () => {
      const scratchDir = await mkdtemp(join(tmpdir(), 'kml-'));
      onTestFinished(() => rm(scratchDir, { recursive: true, force: true }));
      const importers = (stores: Parameters<typeof createImporters>[0]['stores']) =>
        createImporters({ stores, scratchDir });
      const { sample, send, operator, owner } = await start({ imports: { importers, scratchDir } });
      const upload = async (
        content: string,
        fields: Record<string, string>,
        { name = 'in.kml', who = operator } = {},
      ) => {
        const body = new FormData();
        for (const [field, value] of Object.entries({ ...EXAMPLE_NAMES, ...fields })) body.append(field, value);
        body.append('file', new Blob([content]), name);
        return await send('upload_kml/', { method: 'POST', headers: who, body });
      };
      const kind = { kind: 'mws' };
      const good = kml(PLACEMARK);
      expect(await upload(good, {})).toMatchObject({
        status: 400,
        body: { kind: [expect.stringContaining('places, mws')] },
      });
      expect((await upload(good, kind, { who: owner })).status).toBe(403);
      expect(await upload(good, kind, { name: 'in.geojson' })).toMatchObject({ status: 400, body: { file: [/kml/] } });
      const link = '<NetworkLink><Link><href>http://127.0.0.1/</href></Link></NetworkLink>';
      expect(await upload(kml(PLACEMARK + link), kind)).toMatchObject({ status: 400, body: { code: 'validation' } });
      expect(await upload(good, { ...kind, dry_run: 'true' })).toMatchObject({
        status: 201,
        body: { dry_run: true, stored: 1 },
      });
      const done = await upload(good, kind);
      expect(done).toMatchObject({
        status: 201,
        body: { Success: 'Successfully uploaded', stored: 1, refused_count: 0 },
      });
      const tehsil = await sample.stores.lookups.tehsilNamed({
        state: EXAMPLE_PLACE.state,
        district: EXAMPLE_PLACE.district,
        tehsil: EXAMPLE_PLACE.block,
      });
      expect(await sample.stores.lookups.mwsUids(tehsil?.tehsilId ?? 0)).toContain('12_77');
    });

    defineCase(target, 'name the layers of a workspace that are missing on the map server', async () => {
      const message = 'it is not on the map server';
      const lost = { workspace: vector.workspace, problem: 'missing', message } as const;
      const { read } = await start({
        mapServer: (parts) => ({
          ...createEmbeddedMapServer(parts),
          layersIn: async () => undefined,
          check: async function* (of) {
            yield { ...lost, layer: null };
            if (of?.workspace === vector.workspace) yield { ...lost, layer: vector.name };
          },
        }),
      });
      const query = `?workspace=${vector.workspace}`;
      expect(await read(`missing_layers/${query}`)).toMatchObject({ status: 200, body: { result: [vector.name] } });
      const layers = { valid_layer: [], invalid_layers: [vector.name] };
      expect(await read(`get_layers_in_workspace/${query}`)).toMatchObject({ status: 200, body: { result: layers } });
      expect((await read('missing_layers/?workspace=elsewhere')).status).toBe(404);
    });

    defineCase(
      target,
      'accept two comparisons with the map server per user, run one at a time, and end the comparisons of a disconnected client',
      async () => {
        let lateCalls = 0;
        const begun = Promise.withResolvers<void>();
        const { read, operator, owner, url } = await start({
          mapServer: (parts) => ({
            ...createEmbeddedMapServer(parts),
            check: async function* (of, signal) {
              if (of?.workspace !== vector.workspace) return;
              if (signal?.aborted === true) lateCalls += 1;
              begun.resolve();
              await new Promise((resolve) => signal?.addEventListener('abort', resolve));
              signal?.throwIfAborted();
              yield { workspace: vector.workspace, layer: null, problem: 'missing', message: 'it is away' };
            },
          }),
        });
        const leaving = new AbortController();
        const route = `${url}${API}missing_layers/?workspace=${vector.workspace}`;
        const asked = [route, route, route].map((each) => fetch(each, { headers: owner, signal: leaving.signal }));
        const refused = await Promise.race(asked);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
        expect(await refused.json()).toMatchObject({ message: expect.stringContaining('Two of your comparisons') });
        await begun.promise;
        const waiting = read('missing_layers/?workspace=elsewhere', operator);
        leaving.abort();
        await Promise.allSettled(asked);
        expect((await waiting).status).toBe(404);
        expect(lateCalls).toBe(0);
      },
    );

    defineCase(target, 'report that there is no map server, and still unpublish layers', async () => {
      const { post, read, owner } = await start({ mapServer: undefined });
      const absent = { status: 503, body: { status: 'error', message: expect.stringContaining('no map server') } };
      expect(await post('layer_status_dashboard/', EXAMPLE_PLACE, owner)).toMatchObject(absent);
      expect(await read(`missing_layers/?workspace=${vector.workspace}`)).toMatchObject(absent);
      expect(await read(`get_layers_in_workspace/?workspace=${vector.workspace}`)).toMatchObject(absent);
      expect(await post('create_workspace/', { workspace_name: 'fields' })).toMatchObject(absent);
      const named = { workspace: raster.workspace, layer_name: raster.name };
      expect((await post('delete_layer/', named)).status).toBe(200);
    });

    defineCase(target, 'show the resources of a tehsil, and report that there are no plans', async () => {
      const { url } = await start();
      const place = new URLSearchParams(EXAMPLE_PLACE).toString();
      const plan = new URLSearchParams({ plan_id: '7', plan_name: '<b>Ponds</b>', lang: 'en' }).toString();
      const page = await (await fetch(`${url}${API}generate_resource_report/?${place}&${plan}`)).text();
      expect(page).toContain('<h1>Resources of Sample Tehsil</h1>');
      expect(page).toContain('the plan &lt;b&gt;Ponds&lt;/b&gt;. This service has no plans');
      const tehsil = await (await fetch(`${url}${API}generate_tehsil_report/?${place}`)).text();
      expect(tehsil).toContain('generate_resource_report/?');
    });
  });
}
