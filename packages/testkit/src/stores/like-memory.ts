import type { Deliverable, ItemKey } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { dataOf, series, table } from './data-sample.ts';
import type { Get } from './sample.ts';
import { claimed, newRun, stacItem } from './sample.ts';

/** Places by the id of their tehsil, counted from 1. */
const PLACES = ['bihar/gaya/gaya', 'jharkhand/west_singhbhum/chaibasa', 'jharkhand/west_singhbhum/manoharpur'] as const;
const [GAYA, CHAIBASA] = PLACES;
/** Each place with all above it. */
const PATHS = ['', 'bihar', 'bihar/gaya', 'jharkhand', 'jharkhand/west_singhbhum', ...PLACES];

/** An asset that a Collection sums up by its type, title and roles. */
const asset = (key: string) => ({ [key]: { href: `https://example.org/${key}`, type: 'text/csv', title: key } });

/** Items of one place, each with a layer of its own and an asset that no other Item of these notes has. */
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

/** The first Item, which was published under another name before. */
function renamed(given: Deliverable, former: ItemKey): Deliverable {
  return { ...given, items: given.items.map((item, index) => (index === 0 ? { ...item, formerly: [former] } : item)) };
}

/** The same Items as ones that stand for those of an earlier run. */
function standingFor(given: Deliverable, sameContentAs: string): Deliverable {
  return { ...given, items: given.items.map((item) => ({ ...item, sameContentAs })) };
}

/** A table that joins an Item of an earlier run, with its addresses unless they are left out. */
function joining({ collectionPath, id }: ItemKey, name: string, hasAssets = true): Deliverable {
  const tehsilId = PLACES.findIndex((path) => path === collectionPath) + 1;
  const earlierItem = { id, collectionPath, ...(hasAssets ? { assets: asset(`table_${name}`) } : {}) };
  return dataOf({ tables: [table({ name, tehsilId, earlierItem })] });
}

/** Publishes as a run of its own. Gives the outcome, or the code of the refusal. */
async function outcomeOf(runs: RunStore, id: string, given: Deliverable): Promise<unknown> {
  await runs.enqueue(newRun(id));
  const { token } = await claimed(runs);
  const outcome = await runs.publish(id, token, given).catch(({ code }: { readonly code?: string }) => code);
  if (outcome !== 'ok') await runs.fail(id, token, { code: 'internal', message: 'refused' });
  return outcome;
}

/** All that publications show, and what these runs published, without the times of it. */
async function shown({ catalog, search, data }: Stores, runs: readonly string[]) {
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

/** The stores of the current test and empty ones in memory, which get the same. */
function twins(get: Get): {
  readonly both: readonly [Stores, Stores];
  /** Publishes in both, one deliverable after the other, and compares after each. */
  readonly publish: (...given: readonly Deliverable[]) => Promise<readonly unknown[]>;
  readonly compare: () => Promise<void>;
  readonly runs: string[];
} {
  const both = [get(), createMemoryStores()] as const;
  const runs: string[] = [];
  const compare = async (of: readonly string[] = runs): Promise<void> => {
    const [found, wanted] = await Promise.all(both.map((stores) => shown(stores, of)));
    expect(found).toEqual(wanted);
  };
  const publish = async (...given: readonly Deliverable[]): Promise<readonly unknown[]> => {
    const outcomes: unknown[] = [];
    for (const each of given) {
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
  .map((given) => items(...given));
const former = fc.record({ collectionPath: place, id });
const join = fc
  .tuple(former, fc.constantFrom('accuracy', 'areas', 'crops'), fc.boolean())
  .map((given) => joining(...given));
/** True unless the name is one that an Item of the deliverable gets: no result has both. */
const isOther = ([given, { collectionPath, id: name }]: readonly [Deliverable, ItemKey]): boolean =>
  !given.items.some((item) => item.collectionPath === collectionPath && item.id === name);
/** Publications of every kind; many of them are refused, since what they name is not there. */
const step = fc.oneof(
  { weight: 3, arbitrary: some },
  { weight: 3, arbitrary: join },
  {
    weight: 1,
    arbitrary: fc
      .tuple(some, former)
      .filter(isOther)
      .map((given) => renamed(...given)),
  },
  { weight: 1, arbitrary: fc.tuple(some, join).map(([given, { tables = [] }]) => ({ ...given, tables })) },
  { weight: 1, arbitrary: fc.tuple(some, fc.nat({ max: 9 })).map(([given, n]) => standingFor(given, `r${n}`)) },
  { weight: 1, arbitrary: fc.nat({ max: 2 }).map((index) => dataOf({ series: [series({ tehsilId: index + 1 })] })) },
);

/** Publications of every kind show the same in every store as in memory: Items, Collections of every level, layers, tables and series. */
export function likeMemoryCases(get: Get): void {
  describe('publications', () => {
    it('show the same as in memory after each kind of them', async () => {
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
        // Replaces an Item, whose tables go.
        items(CHAIBASA, ['a'], 'x'),
        // Leaves a place without Items, and joins a table under the name that moved.
        renamed(items(CHAIBASA, ['d'], 'x'), { id: 'a', collectionPath: GAYA }),
        joining({ collectionPath: CHAIBASA, id: 'd' }, 'accuracy'),
        standingFor(items(CHAIBASA, ['a'], 'zzz'), 'r1'),
      );
      expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual(['conflict']);
      await vi.waitFor(async () => {
        for (const stores of both) await stores.runs.removeOld({ runsMs: 1, eventsMs: 0, most: 100 });
        // Its Item and its layer were replaced by the last one.
        for (const stores of both) expect(await stores.runs.get('r8')).toBeUndefined();
      });
      expect(runs).toContain('r8');
      await compare();
    });

    it('show the same as in memory after any of them', async () => {
      const { publish } = twins(get);
      const outcomes = await publish(...fc.sample(step, { seed: 7, numRuns: 20 }));
      expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeGreaterThan(9);
    });

    it('show the same as in memory after several at once to one Collection', async () => {
      const { publish, compare, both, runs } = twins(get);
      await publish(items(CHAIBASA, ['a', 'b'], 'x'));
      const given = [
        items(CHAIBASA, ['c'], 'yy'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'accuracy'),
        joining({ collectionPath: CHAIBASA, id: 'b' }, 'areas'),
        joining({ collectionPath: CHAIBASA, id: 'a' }, 'crops'),
        items(GAYA, ['a'], 'zzz'),
      ];
      for (const stores of both) {
        const held: string[] = [];
        const tokens: number[] = [];
        for (const [index] of given.entries()) {
          await stores.runs.enqueue(newRun(`at_once_${index}`));
          tokens.push((await claimed(stores.runs)).token);
          held.push(`at_once_${index}`);
        }
        const done = given.map((each, index) => stores.runs.publish(held[index] ?? '', tokens[index] ?? 0, each));
        expect(await Promise.all(done)).toEqual(given.map(() => 'ok'));
      }
      runs.push(...given.map((_, index) => `at_once_${index}`));
      await compare();
    });
  });
}
