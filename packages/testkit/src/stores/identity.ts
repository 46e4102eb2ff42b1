import type { Deliverable, LayerRecord } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, newRun, stacItem } from './sample.ts';

type PublishedItemInput = Deliverable['items'][number];
type PublishedLayerInput = Deliverable['layers'][number];

const NORTH = 'bihar/aurangabad/aurangabad';
const SOUTH = 'maharashtra/aurangabad/aurangabad';
const NAME = 'lulc_vector_aurangabad_aurangabad';

const itemAt = (collectionPath: string, id: string, note = 'first'): PublishedItemInput => ({
  id,
  collectionPath,
  item: stacItem(id, note),
});
const layerOf = (tehsilId: number, layerName: string, change: Partial<LayerRecord> = {}): PublishedLayerInput => ({
  workspace: 'lulc_vector',
  layerName,
  datasetName: 'LULC',
  layerType: 'vector',
  tehsilId,
  itemId: 'lulc_vector',
  assetKey: `of-${tehsilId}/1/lulc.geojson`,
  styleKey: null,
  ...change,
});
const deliverableOf = (
  items: readonly PublishedItemInput[],
  layers: readonly PublishedLayerInput[] = [],
): Deliverable => ({
  items,
  layers,
  timings: {},
});

/** Test cases of Items and layers with equal or former names, in several tehsils, Collections and runs. */
export function identityCases(get: Get): void {
  const publish = async (id: string, published: Deliverable): Promise<void> => {
    const { runs } = get();
    await runs.enqueue(newRun(id));
    const { token } = await claimed(runs);
    expect(await runs.publish(id, token, published)).toBe('ok');
  };
  const refused = async (id: string, published: Deliverable): Promise<Error> => {
    const { runs } = get();
    await runs.enqueue(newRun(id));
    const { token } = await claimed(runs);
    const failure = await runs.publish(id, token, published).then(
      () => new Error('it was published'),
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'conflict' });
    expect(await runs.get(id)).toMatchObject({ state: 'running', itemIds: [] });
    return failure as Error;
  };

  describe('a layer', () => {
    it('of another tehsil is never overwritten; nothing of a run that would overwrite it is stored', async () => {
      const { catalog } = get();
      await publish('north', deliverableOf([itemAt(NORTH, 'x')], [layerOf(1, NAME)]));
      const { message } = await refused(
        'south',
        deliverableOf([itemAt(SOUTH, 'x')], [layerOf(2, 'free'), layerOf(2, NAME)]),
      );
      expect(message).toMatch(/lulc_vector_aurangabad_aurangabad.*another tehsil.*again/s);
      expect(await catalog.layer('lulc_vector', NAME)).toMatchObject({ tehsilId: 1, version: 1 });
      expect(await catalog.layer('lulc_vector', 'free')).toBeUndefined();
      expect(await catalog.item(SOUTH, 'x')).toBeUndefined();
    });

    it('is refused if one result gives its name to two tehsils; nothing of that result is stored', async () => {
      const { catalog } = get();
      const { message } = await refused('both', deliverableOf([], [layerOf(1, NAME), layerOf(2, NAME)]));
      expect(message).toMatch(/lulc_vector_aurangabad_aurangabad.*another tehsil/s);
      expect(await catalog.layer('lulc_vector', NAME)).toBeUndefined();
    });

    it('with the same name in another workspace is another layer', async () => {
      const { catalog } = get();
      await publish('north', deliverableOf([], [layerOf(1, NAME)]));
      await publish('south', deliverableOf([], [layerOf(2, NAME, { workspace: 'other' })]));
      expect((await catalog.layer('other', NAME))?.tehsilId).toBe(2);
    });

    it('is served under its former names, with the newest file, and listed only once', async () => {
      const { catalog } = get();
      const present = `lulc_vector_bihar_aurangabad_aurangabad`;
      await publish('r1', deliverableOf([], [layerOf(1, NAME)]));
      await publish(
        'r2',
        deliverableOf([], [{ ...layerOf(1, present, { assetKey: 'r2/1/a' }), formerly: [NAME, 'never'] }]),
      );
      expect(await catalog.layer('lulc_vector', NAME)).toMatchObject({ tehsilId: 1, assetKey: 'r2/1/a', version: 2 });
      expect(await catalog.layer('lulc_vector', 'never')).toBeUndefined();
      expect((await catalog.layersOf(1)).map(({ layerName }) => layerName)).toEqual([present]);
      await publish('r3', deliverableOf([], [{ ...layerOf(1, NAME, { assetKey: 'r3/1/a' }), formerly: [present] }]));
      expect(await catalog.layer('lulc_vector', present)).toMatchObject({ assetKey: 'r3/1/a' });
      expect((await catalog.layersOf(1)).map(({ layerName }) => layerName)).toEqual([NAME]);
    });

    it('stays unchanged if a layer of another tehsil had its name before', async () => {
      const { catalog } = get();
      await publish('north', deliverableOf([], [layerOf(1, NAME)]));
      await publish('south', deliverableOf([], [{ ...layerOf(2, 'south_name'), formerly: [NAME] }]));
      expect(await catalog.layer('lulc_vector', NAME)).toEqual({ ...layerOf(1, NAME), version: 1 });
      expect(await catalog.layersOf(1)).toHaveLength(1);
    });
  });

  describe('an Item', () => {
    it('with the same id in another Collection is another Item', async () => {
      const { catalog } = get();
      await publish('r1', deliverableOf([itemAt(NORTH, 'x', 'north')]));
      await publish('r2', deliverableOf([itemAt(SOUTH, 'x', 'south')]));
      for (const [path, note, runId] of [
        [NORTH, 'north', 'r1'],
        [SOUTH, 'south', 'r2'],
      ] as const) {
        expect(await catalog.item(path, 'x')).toMatchObject({
          runId,
          version: 1,
          item: { properties: { title: note } },
        });
      }
      expect((await catalog.itemsOfRun('r2')).map(({ collectionPath }) => collectionPath)).toEqual([SOUTH]);
    });

    it('is refused if it occurs twice in one result; then nothing of that result is stored', async () => {
      const { catalog, runs } = get();
      await runs.enqueue(newRun('twice'));
      const { token } = await claimed(runs);
      const twice = deliverableOf([itemAt(NORTH, 'x'), itemAt(NORTH, 'y'), itemAt(NORTH, 'x', 'again')]);
      await expect(runs.publish('twice', token, twice)).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(/^Item bihar\/aurangabad\/aurangabad\/x: it occurs twice/),
      });
      expect(await catalog.item(NORTH, 'y')).toBeUndefined();
      expect(await runs.publish('twice', token, deliverableOf([itemAt(NORTH, 'x'), itemAt(SOUTH, 'x')]))).toBe('ok');
    });

    it('is listed only under its new name after it was published under that name, and is still found under every former name', async () => {
      const { catalog, runs } = get();
      const before = { collectionPath: 'punjab/sas_nagar/x', id: 'old' };
      const after = { collectionPath: 'punjab/s.a.s._nagar/x', id: 'new' };
      const last = { collectionPath: 'punjab/mohali/x', id: 'newest' };
      await publish('r1', deliverableOf([itemAt(before.collectionPath, before.id)]));
      await publish('r2', deliverableOf([{ ...itemAt(after.collectionPath, after.id, 'second'), formerly: [before] }]));
      expect(await catalog.item(before.collectionPath, before.id)).toMatchObject({ ...after, version: 2, runId: 'r2' });
      expect(await catalog.collections()).toEqual([after.collectionPath]);
      await publish(
        'r3',
        deliverableOf([{ ...itemAt(last.collectionPath, last.id, 'third'), formerly: [before, after] }]),
      );
      for (const { collectionPath, id } of [before, after, last])
        expect(await catalog.item(collectionPath, id)).toMatchObject({ ...last, version: 3 });
      const own = await catalog.itemsOfRun('r1');
      expect(own).toMatchObject([{ ...before, version: 1, replaced: true, item: { properties: { title: 'first' } } }]);
      expect((await runs.liveAttempts()).map(({ id }) => id)).toEqual(['r3']);
    });

    it('loses a former name when another Item gets that name', async () => {
      const { catalog } = get();
      const before = { collectionPath: NORTH, id: 'shared' };
      await publish('r1', deliverableOf([{ ...itemAt(SOUTH, 'mine'), formerly: [before] }]));
      await publish('r2', deliverableOf([itemAt(NORTH, 'shared', 'another')]));
      expect(await catalog.item(NORTH, 'shared')).toMatchObject({
        ...before,
        item: { properties: { title: 'another' } },
      });
    });
  });

  describe("a run's Items", () => {
    it('are the versions that the run published, in the order of the run, even after later runs have replaced some of them', async () => {
      const { catalog } = get();
      const names = ['z_2020', 'a_2021', 'vector'];
      await publish('r1', deliverableOf(names.map((id) => itemAt(NORTH, id, 'first'))));
      await publish('r2', deliverableOf([itemAt(NORTH, 'a_2021', 'second')]));
      await publish('r3', deliverableOf([itemAt(NORTH, 'a_2021', 'third')]));
      const seen = async (run: string): Promise<unknown[]> =>
        (await catalog.itemsOfRun(run)).map(({ id, version, replaced, item }) => [
          id,
          version,
          replaced,
          Reflect.get(item['properties'] ?? {}, 'title'),
        ]);
      expect(await seen('r1')).toEqual([
        ['z_2020', 1, false, 'first'],
        ['a_2021', 1, true, 'first'],
        ['vector', 1, false, 'first'],
      ]);
      expect(await seen('r2')).toEqual([['a_2021', 2, true, 'second']]);
      expect(await seen('r3')).toEqual([['a_2021', 3, false, 'third']]);
      expect(await seen('unknown')).toEqual([]);
    });
  });

  it('if several runs publish an Item at the same time, each has its own version of it', async () => {
    const { runs, catalog } = get();
    const tokens: [string, number][] = [];
    for (const id of ['r1', 'r2', 'r3', 'r4']) {
      await runs.enqueue(newRun(id));
      tokens.push([id, (await claimed(runs)).token]);
    }
    const versionsOf = (note: string): Deliverable =>
      deliverableOf([itemAt(NORTH, 'x', note), itemAt(NORTH, 'y', note)]);
    await Promise.all(tokens.map(([id, token]) => runs.publish(id, token, versionsOf(id))));
    const own = await Promise.all(tokens.map(async ([id]) => await catalog.itemsOfRun(id)));
    for (const [index, [id]] of tokens.entries())
      expect(own[index]).toMatchObject(['x', 'y'].map((name) => ({ id: name, item: { properties: { title: id } } })));
    expect(new Set(own.map(([first]) => first?.version))).toEqual(new Set([1, 2, 3, 4]));
    expect(own.filter(([first]) => first?.replaced === false)).toHaveLength(1);
  });

  describe('Collections whose paths give the same id (`a/b_c` and `a_b/c`)', () => {
    it.each([
      { what: 'two tehsils', first: 'a/b_c/d', second: 'a/b/c_d', id: 'a_b_c_d' },
      { what: 'two states', first: 'a_b/c/d', second: 'a/b_c/d', id: 'a_b_c' },
      { what: 'a state and a district', first: 'uttar/pradesh/x', second: 'uttar_pradesh/y/z', id: 'uttar_pradesh' },
      { what: 'a tehsil and a district', first: 'a/b/c', second: 'a/b_c/x', id: 'a_b_c' },
    ])('are refused: $what', async ({ first, second, id }) => {
      const { catalog } = get();
      await publish('r1', deliverableOf([itemAt(first, 'x')]));
      const { message } = await refused('r2', deliverableOf([itemAt(second, 'x')]));
      expect(message).toContain(`"${id}"`);
      expect(message).toMatch(/Rename one/);
      expect(await catalog.collections()).toEqual([first]);
      await publish('r3', deliverableOf([itemAt(first, 'x')]));
    });

    it('a district and its tehsil may have the same name', async () => {
      const { catalog } = get();
      await publish('r1', deliverableOf([itemAt('bihar/gaya/gaya', 'x'), itemAt('bihar/gaya/gaya_town', 'x')]));
      expect(await catalog.collections()).toEqual(['bihar/gaya/gaya', 'bihar/gaya/gaya_town']);
    });
  });
}
