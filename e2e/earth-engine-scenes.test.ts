import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eecuText } from '../packages/http-service/src/features/runs/page/computing-time.ts';
import { type EarthEngineWorld, openEarthEngine } from '../packages/server/src/earth-engine-world.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';
import { scenesAround, smallPlace } from '../packages/server/src/small-world.fixture.ts';

const timeOf = (seconds: number, after = ''): RegExp =>
  new RegExp(`(?<![\\d.])${`${eecuText(seconds)} EECU-seconds${after}`.replaceAll('.', String.raw`\.`)}`);

const YEAR = 2021;
const SCENES = scenesAround(YEAR);
const BODY = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Chhota Gaon', start_year: YEAR, end_year: YEAR };
const FAULTS = ['lost', 'half', 429, 503, 'rate', 'html', 'long', 'smaller', 401] as const;

let world: EarthEngineWorld;
let service: SmallService;
let accountId: number;
beforeAll(async () => {
  world = await openEarthEngine(SCENES);
  service = await startSmallService({
    places: [smallPlace('Chhota Gaon')],
    accountScenes: (stores, scratchDir) => ({
      sceneEngines: world.engines(stores, scratchDir),
      eoCredentials: { email: async () => undefined, test: async () => [], problemOf: async () => undefined },
    }),
  });
  service.useScenes(world.dataDir);
  const facts = { name: 'project', accountEmail: 'owner@example.org', isVisible: true } as const;
  const account = await service.headwater.stores.eoAccounts.create({ ...facts, platform: 'earth_engine' });
  accountId = account.id;
}, 60_000);
beforeEach(() => world.useFaults(undefined));
afterAll(async () => {
  await service.close();
  await world.close();
});

async function newestRasters(): Promise<readonly (readonly [string, string])[]> {
  const folder = join(service.dir, 'assets', (await service.attempts()).at(-1) ?? '');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tif')).sort();
  return Promise.all(
    names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const),
  );
}

it('a request is refused with the reason, and no run is stored, if the platform denies the account or its quota is spent', async () => {
  const runs = await service.runCount();
  const body = { ...BODY, eo_account_id: accountId };
  world.useFaults(() => 403);
  const denied = await service.compute(body);
  expect([denied.status, JSON.stringify(denied.body)]).toEqual([
    400,
    expect.stringMatching(/account \d+ \(project\) cannot read scenes of Earth Engine.*403.*Resource Viewer/),
  ]);
  world.useFaults(() => 'quota');
  const spent = await service.compute(body);
  expect([spent.status, JSON.stringify(spent.body)]).toEqual([
    400,
    expect.stringMatching(/Quota exceeded for the EECU/),
  ]);
  world.useFaults(undefined);
  const later = await service.compute(body);
  expect([later.status, JSON.stringify(later.body)]).toEqual([400, expect.stringMatching(/has spent its quota/)]);
  expect(await service.runCount()).toBe(runs);
  await service.headwater.stores.eoAccounts.change(accountId, { exhaustedUntil: null });
});

const dryRun = () => service.compute({ ...BODY, eo_account_id: accountId }, 'lulc_for_tehsil/?dry_run=true');

it('a dry run estimates requests and pixels, but no computing time before a run was measured', async () => {
  const { status, body } = await dryRun();
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      scenes: expect.any(Number),
      scene_engine: {
        engine: 'earth_engine',
        account_id: accountId,
        pixels: expect.any(Number),
        eecu_seconds: null,
        eecu_range: null,
        eecu_reason: expect.stringMatching(/No run .* has been measured here/),
      },
    }),
  ]);
  const { scenes, requests, scene_engine: engine } = body;
  expect(requests).toBe(3 * Number(scenes));
  expect(engine).toMatchObject({ pixels: expect.any(Number) });
});

it('scenes of Earth Engine (with 30 % faults) and scenes of the catalogue give equal files', async () => {
  const usual = await service.compute(BODY);
  expect(usual.status).toBe(200);
  const rasters = await newestRasters();
  expect(rasters.length).toBeGreaterThan(0);
  const tags = [...world.google.workloadTags];
  let count = 0;
  world.useFaults(() => (++count % 10 < 3 ? FAULTS[count % FAULTS.length] : undefined));
  const answer = await service.compute({ ...BODY, eo_account_id: accountId });
  expect(answer.status).toBe(200);
  expect(count).toBeGreaterThan(3 * 40);
  expect(await newestRasters()).toEqual(rasters);
  const { items } = await service.published();
  expect(items[0]?.item['properties']).toMatchObject({
    'headwater:scene_engine': {
      engine: 'earth_engine',
      account_id: accountId,
      workload_tag: [...world.google.workloadTags].find((tag) => !tags.includes(tag)),
    },
  });
  expect(JSON.stringify(items)).not.toMatch(/owner@example|gserviceaccount/);
  expect(await service.newestLog()).toMatch(/Scenes of earth_engine with account \d+: \d+ requests, \d+ pixels/);
  expect(await readdir(service.scratchDir)).toEqual([]);
}, 120_000);

it('a run shows its computing time after its end, and later dry runs are estimated from this time', async () => {
  const { stores } = service.headwater;
  const [run] = (await stores.runs.list({ limit: 1, offset: 0 })).runs;
  const address = `/api/v1/runs/${run?.id ?? ''}/`;
  const shown = async () => JSON.parse(await service.get(address, 'application/json')) as Record<string, unknown>;
  expect(await shown()).toMatchObject({
    scene_usage: { eecu_seconds: null, eecu_final: false, eecu_reason: expect.stringMatching(/after the end/) },
  });
  for (const minutes of [10, 90]) await world.usageReader(stores, minutes).runDue();
  const seconds = world.google.usage.secondsOf(`headwater-run-${run?.id ?? ''}`);
  expect(seconds).toBeGreaterThan(0);
  const { scene_usage: usage } = await shown();
  expect(usage).toMatchObject({
    account_id: accountId,
    workload_tag: `headwater-run-${run?.id ?? ''}`,
    eecu_seconds: expect.closeTo(seconds, 6),
    eecu_final: true,
    eecu_reason: null,
  });
  expect(await service.get(address, 'text/html')).toMatch(timeOf(seconds));
  const { pixels } = usage as { readonly pixels: number };
  const { scene_engine: engine } = (await dryRun()).body;
  const expected = ((engine as { readonly pixels: number }).pixels * seconds) / pixels;
  expect(engine).toMatchObject({
    eecu_seconds: expect.closeTo(expected, 3),
    eecu_range: [expect.closeTo(expected, 3), expect.closeTo(expected, 3)],
    eecu_reason: expect.stringMatching(/From 1 run with this account: [\d.]+ EECU-seconds per million pixels/),
  });
});

it('a run over a district shows the sum of the computing time, with the number of its tehsils', async () => {
  const { block: _, ...district } = BODY;
  const body = { ...district, scope: 'district', overwrite: true, eo_account_id: accountId };
  const started = await service.compute(body);
  expect(started.status).toBe(202);
  const id = String(started.body['run_id']);
  const run = await service.headwater.runs.waitFor(id, AbortSignal.timeout(60_000));
  expect(run.state).toBe('success');
  const shown = async (path: string) => JSON.parse(await service.get(path, 'application/json')) as object;
  const address = `/api/v1/runs/${id}/`;
  const open = { all: 1, measured: 0, final: 0, missing: 1, unknown: 0, without: 0, problem: null };
  expect(await shown(address)).toMatchObject({ scene_usage: { eecu_seconds: null, tehsils: open } });
  const readAt = (minutes: number) => world.usageReader(service.headwater.stores, minutes).runDue();
  world.useFaults(() => 403);
  await readAt(10);
  world.useFaults(undefined);
  expect(await service.get(address, 'text/html')).toMatch(/Tehsils whose time is not known yet: 1\. [^<]*HTTP 403/);
  for (const minutes of [90, 200]) await readAt(minutes);
  const [{ runId } = {}] = await service.headwater.stores.runs.parts(id);
  const seconds = world.google.usage.secondsOf(`headwater-run-${runId ?? ''}`);
  expect(seconds).toBeGreaterThan(0);
  const usage = {
    account_id: accountId,
    workload_tag: null,
    eecu_seconds: expect.closeTo(seconds, 6),
    eecu_final: true,
    eecu_reason: null,
    tehsils: { ...open, measured: 1, final: 1, missing: 0 },
  };
  expect(await shown(address)).toMatchObject({ scene_usage: usage });
  const results = [expect.objectContaining({ eecu_seconds: expect.closeTo(seconds, 6) })];
  expect(await shown(`${address}tehsils/`)).toMatchObject({ scene_usage: usage, results });
  const page = await service.get(address, 'text/html');
  expect(page).toMatch(timeOf(seconds, '. Sum of 1 of 1 tehsils.'));
  expect(page).toContain('<th scope="col">EECU seconds</th>');
}, 120_000);

it('a request with the same account reuses the stored result', async () => {
  const runs = await service.runCount();
  expect((await service.compute({ ...BODY, eo_account_id: accountId })).status).toBe(200);
  expect(await service.runCount()).toBe(runs);
});
