import { assert, describe, expect, it } from 'vitest';
import { sized } from '../../../scripts/test-length.mjs';
import { FOLDER, seeded, world } from './exporter.fixture.ts';
import type { FaultRule } from './testing/fake-google.ts';

const LIST = { order: 'published', isDescending: true, layerType: 'raster' } as const;

describe('an export', () => {
  it('uploads the raster, imports it, makes the asset readable, and removes the file from the bucket', async () => {
    const { fake, stores, publish: add, exporter, settle } = await world();
    await add(['level_1']);
    expect([await exporter.findNew(), await exporter.findNew()]).toEqual([1, 0]);
    await settle();
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/level_1`;
    const { rows } = await stores.eoExports.list({ limit: 10, offset: 0 });
    expect(rows).toMatchObject([{ state: 'done', assetPath: path, eecuSeconds: 1.25, problem: null, attempts: 0 }]);
    expect(fake.assets.get(path)).toMatchObject({
      properties: { headwater_file: rows[0]?.assetKey, headwater_layer: 'lulc:level_1' },
    });
    expect(fake.policies.get(path)).toEqual([{ role: 'roles/viewer', members: ['allUsers'] }]);
    expect([fake.objects.size, fake.operations.length, fake.tokensGiven]).toEqual([0, 1, 1]);
    const steps = fake.requests.filter((each) => !each.includes('assets/apps'));
    expect(steps.at(0)).toMatch(/^POST \/upload\/storage/);
  });

  it('is made for each new file of a raster that was computed with an account of the platform, and for no other raster', async () => {
    const { fake, publish: add, exporter, settle, stores } = await world();
    await stores.eoAccounts.create({ name: 'local', accountEmail: null, isVisible: true });
    await add(['a'], 1);
    expect(await exporter.findNew()).toBe(0);
    await stores.eoAccounts.change(1, { platform: 'earth_engine' });
    await add(['a']);
    expect(await exporter.findNew()).toBe(1);
    await settle();
    await add(['a']);
    expect(await exporter.findNew()).toBe(1);
    await settle();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([true, true]);
    const layer = await stores.catalog.layer('lulc', 'a');
    expect(fake.assets.get(`${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`)).toMatchObject({
      properties: { headwater_file: layer?.assetKey },
    });
  });

  it.each([
    ['its operation is known', false],
    ['the response to its import was lost', true],
  ])('waits for the import of an earlier file of its layer, if %s', async (_, isLost) => {
    let losses = isLost ? 0 : 1;
    const fault: FaultRule = ({ path }) => (path.endsWith(':import') && losses++ < 1 ? 'lost' : undefined);
    const { fake, publish: add, exporter, settle, stores, clock } = await world({ fault, polls: 4 });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([false]);
    await add(['a']);
    await exporter.findNew();
    clock.ms += 1000;
    await exporter.runDue();
    expect(fake.operations.length).toBe(1);
    const { rows: open } = await stores.eoExports.list({ state: 'waiting', limit: 9, offset: 0 });
    expect(open).toMatchObject([{ problem: 'The export waits for an earlier import of this layer.', failures: 0 }]);
    await settle();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([true, true]);
    const layer = await stores.catalog.layer('lulc', 'a');
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    expect(fake.assets.get(path)).toMatchObject({ properties: { headwater_file: layer?.assetKey } });
    const { rows } = await stores.eoExports.list({ limit: 9, offset: 0 });
    const ends = new Map(rows.map(({ assetKey, state }) => [assetKey === layer?.assetKey, state]));
    expect([ends.get(true), ends.get(false)]).toEqual(['done', 'failed']);
  });

  it('imports the file once, even if the responses to two requests for the import are lost', async () => {
    let losses = 0;
    const fault: FaultRule = ({ path }) => (path.endsWith(':import') && losses++ < 2 ? 'lost' : undefined);
    const { fake, publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await settle();
    expect(fake.operations.length).toBe(1);
    expect((await stores.eoExports.list({ limit: 1, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['a page of the list could not be read', true],
    ['a layer was unpublished between two pages', false],
  ])('is made for each raster although %s', async (_, fails) => {
    const { exporter, publish: add, stores } = await world();
    await add(Array.from({ length: 250 }, (__, index) => `layer_${index}`));
    const { operatorLists } = stores;
    const layers = operatorLists.layers.bind(operatorLists);
    let isFirst = true;
    operatorLists.layers = async (page) => {
      if (page.offset < 150 || !isFirst) return await layers(page);
      isFirst = false;
      if (fails) throw new Error('the database is unavailable');
      const [newest] = (await layers({ ...page, offset: 0, limit: 1 })).rows;
      const item = { collectionPath: 'nadi_pradesh/east_nadi/jal_gaon', id: `item_${newest?.layerName}` };
      await stores.runs.unpublish(item);
      return await layers(page);
    };
    await exporter.findNew().catch(() => 0);
    await exporter.findNew();
    const exports = (await stores.eoExports.list({ limit: 300, offset: 0 })).rows.map(({ layerName }) => layerName);
    const published = (await layers({ ...LIST, limit: 300, offset: 0 })).rows.map(({ layerName }) => layerName);
    expect(published.length).toBe(fails ? 250 : 249);
    expect(published.filter((name) => !exports.includes(name))).toEqual([]);
  });

  it('ends without an import if the asset already has this file', async () => {
    const { fake, publish: add, exporter, settle } = await world();
    const run = await add(['a']);
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.assets.set(path, { name: path, properties: { headwater_file: `${run.id}/${run.token}/a.tif` } });
    await exporter.findNew();
    await settle();
    expect([fake.operations.length, fake.policies.has(path)]).toEqual([0, true]);
  });

  it('replaces a token that expires during the export', async () => {
    const { fake, publish: add, exporter, settle } = await world();
    await add(['a', 'b']);
    await exporter.findNew();
    await exporter.runDue();
    fake.expireTokens();
    await settle();
    expect([fake.tokensGiven, fake.operations.length]).toEqual([2, 2]);
  });

  it('waits while its account cannot be used, and while the quota of the account is spent', async () => {
    let isSpent = true;
    const fault: FaultRule = ({ path }) => (isSpent && path.endsWith(':import') ? 'quota' : undefined);
    const { publish: add, exporter, settle, stores, clock, setProblem } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    setProblem('is disabled');
    await exporter.runDue();
    const first = async () => (await stores.eoExports.list({ limit: 1, offset: 0 })).rows[0];
    expect(await first()).toMatchObject({ state: 'waiting', problem: 'Account 1 is disabled', failures: 0 });
    setProblem(undefined);
    clock.ms += 600_000;
    await exporter.runDue();
    const until = new Date(clock.ms + 600_000).toISOString();
    expect(await stores.eoAccounts.byId(1)).toMatchObject({ exhaustedUntil: until });
    expect(await first()).toMatchObject({ dueAt: until, problem: expect.stringMatching(/429: Quota exceeded/) });
    isSpent = false;
    await settle();
    expect(await first()).toMatchObject({ state: 'done' });
  });

  it('retries after a limit per minute, and does not mark the quota of the account as spent', async () => {
    let isLimited = true;
    const fault: FaultRule = ({ path }) => (isLimited && path.endsWith(':import') ? 'rate' : undefined);
    const { publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(await stores.eoAccounts.byId(1)).toMatchObject({ exhaustedUntil: null });
    isLimited = false;
    await settle();
    expect((await stores.eoExports.list({ limit: 1, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
  });

  it('fails if the token endpoint of the key cannot be used', async () => {
    const { publish: add, exporter, stores, setKey } = await world();
    setKey({ token_uri: 'http://tokens.example/token' });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    const { rows } = await stores.eoExports.list({ limit: 1, offset: 0 });
    expect(rows).toMatchObject([{ state: 'failed', problem: expect.stringMatching(/not an https address/) }]);
  });

  it.each([
    ['failed', 403 as const],
    ['is being imported', undefined],
  ])(
    'begins again in the project of a new key after a retry, if the export %s in the project of the former key',
    async (_, wanted) => {
      let isFaulty = true;
      const fault: FaultRule = ({ path }) => (isFaulty && path.endsWith(':import') ? wanted : undefined);
      const { fake, publish: add, exporter, settle, stores, setKey, clock } = await world({ fault });
      await add(['a']);
      await exporter.findNew();
      await exporter.runDue();
      const [first] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
      assert(first !== undefined);
      isFaulty = false;
      setKey({ project_id: 'projects-of-asha' });
      fake.objects.clear();
      await stores.eoExports.retry(first.id, new Date(clock.ms));
      await settle();
      const path = `projects/projects-of-asha/assets/apps/mws/nadi_pradesh/east_nadi/jal_gaon/a`;
      expect(await stores.eoExports.byId(first.id)).toMatchObject({ state: 'done', assetPath: path });
      expect(fake.assets.has(path)).toBe(true);
      const folders = [...fake.assets.values()].filter(({ type }) => type === 'FOLDER').map(({ name }) => String(name));
      expect(folders.filter((name) => !/^projects\/[^/]+\/assets\/apps/.test(name))).toEqual([]);
    },
  );

  it('uploads the file again after a retry, and removes the file from the bucket of the first attempt', async () => {
    const { fake, publish: add, exporter, settle, stores, clock, setBucket } = await world();
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.importErrors.set(path, 'Unable to read the file');
    await add(['a', 'b']);
    await exporter.findNew();
    await exporter.runDue();
    setBucket('other');
    await settle();
    const [failed] = (await stores.eoExports.list({ state: 'failed', limit: 1, offset: 0 })).rows;
    assert(failed !== undefined);
    expect(fake.requests.filter((each) => each.startsWith('DELETE /storage/v1/b/staging/')).length).toBe(2);
    fake.objects.clear();
    fake.importErrors.clear();
    await stores.eoExports.retry(failed.id, new Date(clock.ms));
    await settle();
    expect(await stores.eoExports.byId(failed.id)).toMatchObject({ state: 'done' });
    expect(fake.requests.filter((each) => each.startsWith('POST /upload/storage/v1/b/other/')).length).toBe(1);
  });

  it.each([
    ['rights are missing', { fault: 403 as const }, /HTTP 403: Permission denied\. .*roles Earth Engine/],
    ['an asset of another program has its path', { other: true }, /was not made by this service\. Move or delete it/],
    [
      'the import fails three times',
      { importError: 'Unable to read the file' },
      /Unable to read the file This was attempt 3/,
    ],
  ])('fails with the reason and the remedy if %s; the layer stays, and a retry succeeds', async (_, given, problem) => {
    const { fault: wanted, other, importError } = { fault: undefined, importError: undefined, other: false, ...given };
    let isFaulty = true;
    const {
      fake,
      publish: add,
      exporter,
      settle,
      stores,
      clock,
    } = await world({
      fault: () => (isFaulty ? wanted : undefined),
    });
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    if (other) fake.assets.set(path, { name: path });
    if (importError !== undefined) fake.importErrors.set(path, importError);
    await add(['a']);
    await exporter.findNew();
    await settle();
    const [failed] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringMatching(problem), source: null });
    expect(fake.objects.size).toBe(0);
    expect(await stores.catalog.layer('lulc', 'a')).toMatchObject({ assetKey: failed?.assetKey });
    isFaulty = false;
    fake.importErrors.clear();
    fake.assets.delete(path);
    await stores.eoExports.retry(failed?.id ?? '', new Date(clock.ms));
    await settle();
    expect(await stores.eoExports.byId(failed?.id ?? '')).toMatchObject({ state: 'done' });
  });

  it('is made exactly once for each file if 30 % of the requests of many exports fail', async () => {
    const count = sized(50, 200);
    const random = seeded(7);
    const faults = [401, 429, 503, 'lost', 'half'] as const;
    const fault: FaultRule = () => (random() < 0.3 ? faults[Math.floor(random() * faults.length)] : undefined);
    const { fake, publish: add, exporter, settle, stores } = await world({ fault, tokenSeconds: 600 });
    const names = Array.from({ length: count }, (_, index) => `layer_${index}`);
    await add(names);
    expect(await exporter.findNew()).toBe(count);
    await settle(50_000);
    const { rows } = await stores.eoExports.list({ limit: 500, offset: 0 });
    expect(rows.filter(({ state }) => state !== 'done')).toEqual([]);
    const images = [...fake.assets.values()].filter(({ type }) => type === 'IMAGE');
    expect([images.length, fake.operations.length, fake.policies.size]).toEqual([count, count, count]);
    expect(new Set(rows.map(({ assetPath }) => assetPath))).toEqual(new Set(images.map(({ name }) => name)));
    expect(fake.objects.size).toBe(0);
  }, 120_000);
});
