import { boxPolygon } from '../geo/outlines.ts';
import { DEFAULT_REMEDIES } from '../pipelines/needs.ts';
import { versionsOfNeeds } from '../pipelines/needs.ts';
import { createPublishedReads } from '../pipelines/published.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../ports/runs.ts';
import { mapName, mapNeed, missingOf, needsWorld, type NeedsWorld, pipelineOf } from './needs.fixture.ts';
import type { ElevationSource } from '../ports/earth-observation.ts';
import { createPipelineRegistry } from './registry.ts';
import { createRunService, type RunServiceDeps } from './service.ts';
import { createRunSignals } from './signals.ts';
import type { AnyPipeline, StartedRun, StartOptions } from './types.ts';

const DEM = { title: 'DEM', license: 'CC0-1.0', attribution: 'DEM', rasters: [{ href: '/dem.tif' }] };
const NEVER_ABORTED = new AbortController().signal;

describe('a need of a pipeline', () => {
  let w: NeedsWorld;
  let elevation: typeof DEM | undefined;
  const odd = [
    pipelineOf('careless', { needs: () => [mapNeed({ tehsilId: 1, year: 1 })] }),
    pipelineOf('orphan', {
      needs: () => [{ kind: 'table', name: 'x', tehsilId: 1 }],
    }),
  ];
  beforeEach(() => {
    elevation = DEM;
    w = needsWorld(odd, { demFor: async () => elevation });
  });
  afterEach(() => w.close());

  const pipeline = (name: string): AnyPipeline => w.pipelines.get(name) ?? pipelineOf(name);
  const start = (name: string, options: StartOptions = {}, request: object = {}): Promise<StartedRun> =>
    w.service.start(w.owner, pipeline(name), { tehsilId: 1, year: 2020, ...request }, options);
  const ended = (run: Run): Promise<Run> => w.service.waitFor(run.id, NEVER_ABORTED);
  const total = async (): Promise<number> => (await w.stores.runs.list({ limit: 1, offset: 0 })).total;

  it('is reported if it is missing, with the request that makes it, and no run is stored', async () => {
    const error: unknown = await start('areas').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'missing_layer',
      message: 'Needed data is missing: layer lulc:map_1_2020.',
    });
    expect(missingOf(error)).toEqual([
      { name: mapName(2020), kind: 'layer', route: 'generate_lulc', request: { tehsilId: 1, year: 2020 } },
    ]);
    expect(await total()).toBe(0);
  });

  it('for elevations is not reported if another backend computes the run and this service has no source of elevations', async () => {
    const { stores, pipelines } = w;
    const shared = { stores, pipelines, signals: createRunSignals(), clock: { now: () => new Date() } };
    const missingFor = (options: Partial<RunServiceDeps>): Promise<unknown> =>
      createRunService({ ...shared, ...options })
        .start(w.owner, pipeline('report'), { tehsilId: 1, year: 2020 })
        .catch((error: unknown) => missingOf(error));
    const tables = [
      { name: 'table areas_2020', kind: 'table' },
      { name: 'table areas_2021', kind: 'table' },
    ];
    const dem = { kind: 'dem' };
    const none: ElevationSource = { demFor: async () => undefined };
    expect(await missingFor({ backend: 'orchestrator' })).toMatchObject(tables);
    expect(await missingFor({ backend: 'orchestrator', elevation: none })).toMatchObject([dem, ...tables]);
    expect(await missingFor({})).toMatchObject([dem, ...tables]);
  });

  it("is reported with the operator's remedy if the elevations no longer exist when the run starts", async () => {
    const remedies = { ...DEFAULT_REMEDIES, elevation: 'Put one into dem.' };
    const sources = {
      published: createPublishedReads(w.stores),
      elevation: { demFor: async () => undefined },
      remedies,
    };
    await expect(versionsOfNeeds([{ kind: 'dem', box: [0, 0, 1, 1] }], sources)).rejects.toMatchObject({
      code: 'missing_layer',
      message: 'elevation data (DEM) of the area is needed and is missing. Put one into dem. Then start the run again.',
    });
  });

  it('is reported if no pipeline makes it; a start with dependencies also fails, and no run is stored', async () => {
    elevation = undefined;
    expect(missingOf(await start('report').catch((thrown: unknown) => thrown))).toEqual([
      { name: 'elevation data (DEM) of the area', kind: 'dem', remedy: DEFAULT_REMEDIES.elevation },
      { name: 'table areas_2020', kind: 'table', route: 'generate_areas', request: { tehsilId: 1, year: 2020 } },
      { name: 'table areas_2021', kind: 'table', route: 'generate_areas', request: { tehsilId: 1, year: 2021 } },
    ]);
    expect(missingOf(await start('orphan').catch((thrown: unknown) => thrown))).toEqual([
      { name: 'table x', kind: 'table' },
    ]);
    for (const name of ['report', 'orphan']) {
      await expect(start(name, { withDependencies: true })).rejects.toMatchObject({ code: 'missing_layer' });
    }
    expect(await total()).toBe(0);
  });

  it('is made once, after its own needs; the run waits for it', async () => {
    const { run } = await start('report', { withDependencies: true });
    const all = (await w.stores.runs.list({ limit: 9, offset: 0 })).runs;
    const planned = Object.fromEntries(
      all.map(({ id, pipeline, params, parentId, awaits }) => [
        `${pipeline} ${String(params['year'])}`,
        { id, parentId, awaits },
      ]),
    );
    const child = { id: expect.any(String), parentId: run.id };
    expect(planned).toEqual({
      'report 2020': { id: run.id, parentId: null, awaits: ['table areas_2020', 'table areas_2021'] },
      'areas 2020': { ...child, awaits: [mapName(2020)] },
      'areas 2021': { ...child, awaits: [mapName(2021)] },
      'lulc 2020': { ...child, awaits: [] },
      'lulc 2021': { ...child, awaits: [] },
    });
    const log = await w.service.log(w.owner, run.id, { afterSeq: 0, limit: 9 });
    expect(log.map(({ message }) => message)).toContain(
      `waits for run ${run.after[0] ?? ''}, which computes table areas_2020`,
    );
    w.worker().start();
    expect(await ended(run)).toMatchObject({ state: 'success' });
    expect(w.made.toSorted()).toEqual(['2020', '2021']);
    expect(await w.stores.data.rowOf(1, 'areas_2021', '1')).toMatchObject({
      text: expect.stringMatching(/^map \d of 2021$/),
    });
  });

  it('is not made again if a run that makes it has not ended; the new run waits for that run', async () => {
    const first = await start('lulc');
    const { run } = await start('areas', { withDependencies: true });
    expect(run.after).toEqual([first.run.id]);
    expect(await total()).toBe(2);
  });

  it('is not made again if it exists', async () => {
    w.worker().start();
    await ended((await start('lulc')).run);
    const { run } = await start('areas', { withDependencies: true });
    expect(run.after).toEqual([]);
    expect(await ended(run)).toMatchObject({ state: 'success' });
    expect(w.made).toEqual(['2020']);
    expect(await w.stores.data.rowOf(1, 'areas_2020', '1')).toMatchObject({
      path: expect.stringMatching(/^\/memory\/.*\/1\/map\.tif$/),
      item: '{"id":"map_1_2020","text":"map 1 of 2020"}',
    });
  });

  it('is made again only if it was made for an earlier boundary', async () => {
    w.worker().start();
    w.land.clip = [boxPolygon([77, 18, 78, 19])];
    await ended((await start('lulc')).run);
    expect(await ended((await start('areas')).run)).toMatchObject({ state: 'success' });
    w.land.clip = [boxPolygon([77, 18, 78, 19]), boxPolygon([77.2, 18.2, 77.3, 18.3])];
    const error: unknown = await start('areas').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'missing_layer',
      message: 'Needed data is missing: layer lulc:map_1_2020 (computed for an earlier boundary).',
    });
    const maker = { route: 'generate_lulc', request: { tehsilId: 1, year: 2020 } };
    expect(missingOf(error)).toEqual([{ name: mapName(2020), kind: 'layer', isOfOtherBoundary: true, ...maker }]);
    const { run } = await start('areas', { withDependencies: true });
    expect(await ended(run)).toMatchObject({ state: 'success', awaits: [mapName(2020)] });
    expect(await w.stores.data.rowOf(1, 'areas_2020', '1')).toMatchObject({ text: 'map 2 of 2020' });
    expect((await start('areas', { withDependencies: true })).run.after).toEqual(run.after);
    expect(w.made).toEqual(['2020', '2020']);
  });

  it('a preview names the missing needs and the pipelines that would make them, and stores nothing', async () => {
    const preview = (name: string) => w.service.preview(w.owner, pipeline(name), { tehsilId: 1, year: 2020 });
    expect(await preview('lulc')).toMatchObject({ missing: undefined, makers: [] });
    const { missing, makers } = await preview('areas');
    expect([missing?.code, makers]).toEqual(['missing_layer', ['lulc']]);
    expect(missingOf(missing)).toEqual([expect.objectContaining({ name: mapName(2020), route: 'generate_lulc' })]);
    expect(await total()).toBe(0);
    w.worker().start();
    await ended((await start('lulc')).run);
    expect(await preview('areas')).toMatchObject({ missing: undefined, makers: [] });
  });

  it('makes the waiting run fail if the run that makes the need fails; the error names the need and the reason', async () => {
    const { run } = await start('report', { withDependencies: true });
    const lulc = await w.stores.runs.claim({ workerId: 'x', leaseMs: 9999, pipelines: ['lulc'], maxAttempts: 3 });
    await w.stores.runs.fail(lulc?.id ?? '', lulc?.token ?? 0, { code: 'no_scenes', message: 'No scenes.' });
    w.worker().start();
    const { error } = await ended(run);
    expect(error?.code).toBe('dependency_failed');
    expect(error?.message).toMatch(
      /^This run needs table areas_2020, which is missing.*This run needs layer lulc:map_1_2020, which is missing.*No scenes\.$/,
    );
  });

  it('allows reuse of a stored result until the needed data have a new version', async () => {
    w.worker().start();
    await ended((await start('lulc')).run);
    const first = (await start('areas')).run;
    await ended(first);
    expect(await start('areas')).toMatchObject({ reused: true, run: { id: first.id } });
    await ended((await start('lulc', { overwrite: true })).run);
    const again = await start('areas');
    expect(again.reused).toBe(false);
    await ended(again.run);
    expect(await w.stores.data.rowOf(1, 'areas_2020', '1')).toMatchObject({ text: 'map 2 of 2020' });
  });

  it('must be made by a pipeline in dependsOn; dependsOn must not form a circle', async () => {
    await expect(start('careless')).rejects.toMatchObject({
      code: 'internal',
      message:
        'Pipeline careless needs layer lulc:map_1_1 of pipeline lulc, which its dependsOn does not name; add it there.',
    });
    const [a, b, c] = [
      pipelineOf('a', { dependsOn: ['b'] }),
      pipelineOf('b', { dependsOn: ['c'] }),
      pipelineOf('c', { dependsOn: ['a'] }),
    ];
    expect(() => createPipelineRegistry([a, b, c])).toThrow('in a circle: a -> b -> c -> a;');
    expect(() =>
      createPipelineRegistry([a, b, pipelineOf('c'), pipelineOf('d', { dependsOn: ['a', 'b'] })]),
    ).not.toThrow();
  });

  it('an idempotency key distinguishes requests with and without dependencies', async () => {
    const key = 'k1';
    const { run } = await start('areas', { withDependencies: true, key });
    expect(await start('areas', { withDependencies: true, key })).toMatchObject({ joined: true, run: { id: run.id } });
    await expect(start('areas', { key })).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('a layer that is being read stays readable when a later run replaces it', async () => {
    w.worker().start();
    await ended((await start('lulc')).run);
    const { published } = w;
    const opened = await published.layerFile('lulc', 'map_1_2020');
    await ended((await start('lulc', { overwrite: true })).run);
    const live = new Set((await w.stores.runs.liveAttempts(86_400_000)).map(({ id, token }) => `${id}/${token}`));
    await w.assets.prune(async (id, token) => !live.has(`${id}/${token}`), new Date(Date.now() + 1000));
    expect(await new Response(opened.file.stream(0, opened.file.bytes - 1)).text()).toBe('map 1 of 2020');
    expect(await w.assets.localPath?.(opened.layer.assetKey)).toBe(opened.path);
    expect((await published.layerFile('lulc', 'map_1_2020')).runId).not.toBe(opened.runId);
    await expect(published.layerFile('lulc', 'none')).rejects.toMatchObject({ code: 'missing_layer' });
  });

  describe('in an order', () => {
    const node = (name: string, after: readonly string[] = []) => ({
      name,
      pipeline: pipeline(name),
      request: { tehsilId: 1, year: 2020 },
      after,
    });

    it('each node is started once, after the nodes in its `after`, and one additional run waits for all nodes', async () => {
      const order = { fingerprint: 'map', nodes: [node('lulc'), node('areas', ['lulc']), node('report', ['areas'])] };
      const started = await w.service.startOrder(w.owner, order);
      const [lulc, areas, report] = started.nodes.map(({ run }) => run);
      expect([lulc?.after, areas?.after]).toEqual([[], [lulc?.id]]);
      expect(report?.after).toHaveLength(2);
      expect(started.run.after).toEqual([lulc?.id, areas?.id, report?.id]);
      // Two of the six runs are not in the order, but the report needs their results.
      expect(await total()).toBe(6);
      const joined = await w.service.startOrder(w.owner, order);
      expect([joined.run.id, joined.joined, joined.nodes.map(({ run }) => run.id)]).toEqual([
        started.run.id,
        true,
        [lulc?.id, areas?.id, report?.id],
      ]);
      w.worker().start();
      expect((await ended(started.run)).state).toBe('success');
      const again = await w.service.startOrder(w.owner, order);
      expect(again.nodes.map(({ reused }) => reused)).toEqual([false, false, false]);
    });

    it('the order counts as one run in the limit of open runs per user, and fails if its first run is cancelled', async () => {
      const order = { fingerprint: 'map', nodes: [node('lulc'), node('areas', ['lulc'])] };
      const { run } = await w.service.startOrder(w.owner, order);
      for (const year of [1, 2]) await start('lulc', {}, { year });
      await expect(start('lulc', {}, { year: 3 })).rejects.toMatchObject({ code: 'throttled' });
      await w.stores.runs.requestCancel(run.after[0] ?? '');
      w.worker().start();
      expect((await ended(run)).error).toMatchObject({
        code: 'dependency_failed',
        message: expect.stringMatching(/^This run needs node lulc, which is missing.*cancelled/),
      });
    });
  });
});
