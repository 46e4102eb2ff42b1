import type { Deliverable, ItemKey } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { dataOf, series, table, type Get, claimed, newRun, stacItem } from '@headwater/testkit/stores';

/** The id of a tehsil is the index in this list plus 1. */
const PLACES = ['bihar/gaya/gaya', 'jharkhand/west_singhbhum/chaibasa', 'jharkhand/west_singhbhum/manoharpur'] as const;
const [GAYA, CHAIBASA] = PLACES;
const PATHS = ['', 'bihar', 'bihar/gaya', 'jharkhand', 'jharkhand/west_singhbhum', ...PLACES];

const asset = (key: string) => ({ [key]: { href: `https://example.org/${key}`, type: 'text/csv', title: key } });

function items(collectionPath: string, ids: readonly string[], note: string): Deliverable {
  const tehsilId = PLACES.findIndex((path) => path === collectionPath) + 1;
  const layer = { workspace: 'LULC', datasetName: 'LULC', layerType: 'raster', styleKey: null } as const;
  return {
    timings: {},
    items: ids.map((id) => {
      const plain = stacItem(id, note);
      const properties = { ...Object(plain['properties']), gsd: note.length };
      return { id, collectionPath, item: { ...plain, properties, assets: asset(`data_${note}`) } };
    }),
    layers: ids.map((itemId) => ({
      ...layer,
      layerName: `${tehsilId} ${itemId}`,
      tehsilId,
      itemId,
      assetKey: `${tehsilId}/${note}/${itemId}.tif`,
    })),
  };
}

function renamed(deliverable: Deliverable, former: ItemKey): Deliverable {
  return {
    ...deliverable,
    items: deliverable.items.map((item, index) => (index === 0 ? { ...item, formerly: [former] } : item)),
  };
}

function withSameContent(deliverable: Deliverable, sameContentAs: string): Deliverable {
  return { ...deliverable, items: deliverable.items.map((item) => ({ ...item, sameContentAs })) };
}

/**
 * A deliverable with a table that belongs to an Item of an earlier run. If `hasAssets` is true, the Item gets the
 * table's addresses.
 */
function joining({ collectionPath, id }: ItemKey, name: string, hasAssets = true): Deliverable {
  const tehsilId = PLACES.findIndex((path) => path === collectionPath) + 1;
  const earlierItem = { id, collectionPath, ...(hasAssets ? { assets: asset(`table_${name}`) } : {}) };
  return dataOf({ tables: [table({ name, tehsilId, earlierItem })] });
}

/** Publishes a deliverable in a new run. Returns the outcome, or the code of the error. */
async function outcomeOf(runs: RunStore, id: string, deliverable: Deliverable): Promise<unknown> {
  await runs.enqueue(newRun(id));
  const { token } = await claimed(runs);
  const outcome = await runs.publish(id, token, deliverable).catch(({ code }: { readonly code?: string }) => code);
  if (outcome !== 'ok') await runs.fail(id, token, { code: 'internal', message: 'refused' });
  return outcome;
}

/** Published documents, layers, tables and series that the stores return, without the times of publication. */
async function publishedState({ catalog, search, data }: Stores, runs: readonly string[]) {
  const tehsils = PLACES.map((_, index) => index + 1);
  const withoutTime = (each: object): object => ({ ...each, publishedAt: undefined });
  return {
    collections: await Promise.all(PATHS.map((path) => catalog.collection(path))),
    listed: await search.collections({ limit: 100 }),
    items: await Promise.all(PLACES.map((path) => catalog.itemsOf(path))),
    ofRuns: await Promise.all(runs.map((id) => catalog.itemsOfRun(id))),
    layers: await Promise.all(tehsils.map((id) => catalog.layersOf(id))),
    tables: await Promise.all(tehsils.map(async (id) => (await data.tablesOf(id)).map(withoutTime))),
    series: await Promise.all(tehsils.map(async (id) => (await data.seriesOf(id, '12_1')).map(withoutTime))),
  };
}

function twins(get: Get): {
  readonly both: readonly [Stores, Stores];
  readonly publish: (...deliverable: readonly Deliverable[]) => Promise<readonly unknown[]>;
  readonly compare: () => Promise<void>;
  readonly runs: string[];
} {
  const both = [get(), createMemoryStores()] as const;
  const runs: string[] = [];
  const compare = async (of: readonly string[] = runs): Promise<void> => {
    const [found, wanted] = await Promise.all(both.map((stores) => publishedState(stores, of)));
    expect(found).toEqual(wanted);
  };
  const publish = async (...deliverable: readonly Deliverable[]): Promise<readonly unknown[]> => {
    const outcomes: unknown[] = [];
    for (const each of deliverable) {
      const id = `r${runs.length}`;
      runs.push(id);
      const [found, wanted] = await Promise.all(both.map((stores) => outcomeOf(stores.runs, id, each)));
      expect(found).toEqual(wanted);
      outcomes.push(found);
      await compare([id]);
    }
    await compare();
    return outcomes;
  };
  return { both, publish, compare, runs };
}

const place = fc.constantFrom(...PLACES);
const id = fc.constantFrom('a', 'b', 'c');
const some = fc
  .tuple(place, fc.uniqueArray(id, { minLength: 1 }), fc.constantFrom('x', 'yy', 'zzz'))
  .map((deliverable) => items(...deliverable));
const former = fc.record({ collectionPath: place, id });
const join = fc
  .tuple(former, fc.constantFrom('accuracy', 'areas', 'crops'), fc.boolean())
  .map((deliverable) => joining(...deliverable));
/** False if the deliverable contains an Item with the former name, which a real result never does. */
const isOther = ([deliverable, { collectionPath, id: name }]: readonly [Deliverable, ItemKey]): boolean =>
  !deliverable.items.some((item) => item.collectionPath === collectionPath && item.id === name);
/** A random publication. Many add a table to an Item that does not exist or has no layer; the stores refuse these. */
const step = fc.oneof(
  { weight: 3, arbitrary: some },
  { weight: 3, arbitrary: join },
  {
    weight: 1,
    arbitrary: fc
      .tuple(some, former)
      .filter(isOther)
      .map((deliverable) => renamed(...deliverable)),
  },
  { weight: 1, arbitrary: fc.tuple(some, join).map(([deliverable, { tables = [] }]) => ({ ...deliverable, tables })) },
  {
    weight: 1,
    arbitrary: fc.tuple(some, fc.nat({ max: 9 })).map(([deliverable, n]) => withSameContent(deliverable, `r${n}`)),
  },
  { weight: 1, arbitrary: fc.nat({ max: 2 }).map((index) => dataOf({ series: [series({ tehsilId: index + 1 })] })) },
);

/** Test cases of all kinds of publications. A store must have the same result as the stores in memory. */
export function sameAsMemoryCases(get: Get): void {
  describe('publications', () => {
    it('have the same result as in memory after one publication of each kind', async () => {
      const { publish, compare, both, runs } = twins(get);
      const outcomes = await publish(
        items(GAYA, ['a'], 'x'),
        items(CHAIBASA, ['a', 'b'], 'yy'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'accuracy'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'accuracy'),
        joining({ collectionPath: CHAIBASA, id: 'b' }, 'areas', false),
        joining({ collectionPath: CHAIBASA, id: 'c' }, 'areas'),
        {
          ...items(CHAIBASA, ['c'], 'zzz'),
          tables: joining({ collectionPath: CHAIBASA, id: 'b' }, 'crops').tables ?? [],
        },
        dataOf({ series: [series({ tehsilId: 2 })] }),
        items(CHAIBASA, ['a'], 'x'),
        renamed(items(CHAIBASA, ['d'], 'x'), { id: 'a', collectionPath: GAYA }),
        joining({ collectionPath: CHAIBASA, id: 'd' }, 'accuracy'),
        withSameContent(items(CHAIBASA, ['a'], 'zzz'), 'r1'),
      );
      expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual(['conflict']);
      await vi.waitFor(async () => {
        for (const stores of both) await stores.runs.removeOld({ runsMs: 1, eventsMs: 0, most: 100 });
        // The last publication has replaced the Item and the layer of `r8`.
        for (const stores of both) expect(await stores.runs.get('r8')).toBeUndefined();
      });
      expect(runs).toContain('r8');
      await compare();
    });

    it('have the same result as in memory after random sequences', async () => {
      const { publish } = twins(get);
      const outcomes = await publish(...fc.sample(step, { seed: 7, numRuns: 20 }));
      expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeGreaterThan(9);
    });

    it('have the same result as in memory after several concurrent publications, most to one Collection', async () => {
      const { publish, compare, both, runs } = twins(get);
      await publish(items(CHAIBASA, ['a', 'b'], 'x'));
      const deliverable = [
        items(CHAIBASA, ['c'], 'yy'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'accuracy'),
        joining({ collectionPath: CHAIBASA, id: 'b' }, 'areas'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'crops'),
        items(GAYA, ['a'], 'zzz'),
      ];
      for (const stores of both) {
        const ids: string[] = [];
        const tokens: number[] = [];
        for (const [index] of deliverable.entries()) {
          await stores.runs.enqueue(newRun(`at_once_${index}`));
          tokens.push((await claimed(stores.runs)).token);
          ids.push(`at_once_${index}`);
        }
        const done = deliverable.map((each, index) => stores.runs.publish(ids[index] ?? '', tokens[index] ?? 0, each));
        expect(await Promise.all(done)).toEqual(deliverable.map(() => 'ok'));
      }
      runs.push(...deliverable.map((_, index) => `at_once_${index}`));
      await compare();
    });
  });
}
