import type { DomainError, Run, RunFailure } from '@headwater/core';
import { replacedYearsOf } from '@headwater/core/runs';
import { collectionPath } from '@headwater/stac';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { ReplacedItem, RunBody } from '../schemas/runs.ts';
import type { StacItem } from '../../stac-api/schemas/stac.ts';
import type { ItemMaps } from '../../../items/map-links.ts';
import { itemAddress, publicItem } from '../../../items/public-item.ts';
import { runTable, type RunTable } from '../../public-data/schemas/tables.ts';
import { runView, storedError, type RunView } from '../schemas/run-view.ts';
import { sceneUsageOf } from './scene-usage.ts';

/**
 * Id of the run that published the results. For a run at an orchestrator, this is the run that the orchestrator's
 * callback started.
 */
export const publisherOf = ({ id, publishedBy: by }: Pick<Run, 'id' | 'publishedBy'>): string => by ?? id;

/** Publications of a run, in wire form. */
export interface Served {
  /** Items in the versions that this run published. */
  readonly items: z.infer<typeof StacItem>[];
  /** Items that later runs have replaced; `latest` is null if only the id is known. */
  readonly replaced: z.infer<typeof ReplacedItem>[];
  readonly tables: z.infer<typeof RunTable>[];
  readonly version: number;
  /** Notices of Items that have fewer years than before. */
  readonly replacedYears: readonly string[];
}

/** Reads the publications of a run. */
export async function publishedBy(
  run: Run,
  deps: Ports<'stores' | 'baseUrl' | 'publication'> & ItemMaps,
): Promise<Served> {
  const [published, tables] = await Promise.all([
    deps.stores.catalog.itemsOfRun(publisherOf(run)),
    tablesBy(run, deps),
  ]);
  const known = new Set(published.map(({ id }) => id));
  // Replaced Items of runs of version 0.1, which stored no old versions of Items.
  const lost = run.itemIds.filter((id) => !known.has(id)).map((id) => ({ id, latest: null }));
  const replaced = published.filter((item) => item.replaced);
  return {
    // The cast is safe, because Items are checked before they are published.
    items: published.map((item) => publicItem(item, deps) as z.infer<typeof StacItem>),
    replaced: [...lost, ...replaced.map((item) => ({ id: item.id, latest: itemAddress(item, deps.baseUrl) }))],
    tables,
    version: published[0]?.version ?? 1,
    replacedYears: published.flatMap(({ id, item }) => {
      const sentence = replacedYearsOf(item);
      return sentence === undefined ? [] : [`${id} ${sentence}`];
    }),
  };
}

/** A run in wire form, with its publications and scenes. */
export async function fullBody(
  run: Run,
  deps: Ports<'stores' | 'baseUrl' | 'publication'> & ItemMaps,
): Promise<z.infer<typeof RunBody>> {
  const [{ items, tables, replaced }, usage] = await Promise.all([publishedBy(run, deps), sceneUsageOf(run, deps)]);
  return {
    ...runView(run, deps.baseUrl),
    stac_items: items,
    tables,
    replaced_items: replaced,
    scene_usage: usage,
  };
}

/** Tables that a run published and that no later run replaced. */
export async function tablesBy(
  run: Run,
  { stores, baseUrl }: Ports<'stores' | 'baseUrl'>,
): Promise<z.infer<typeof RunTable>[]> {
  // Only a successful run has tables, because a run publishes when it succeeds.
  const heads = run.state === 'success' ? await stores.data.tablesOfRun(publisherOf(run)) : [];
  const ids = [...new Set(heads.map(({ tehsilId }) => tehsilId))];
  const named = ids.length === 0 ? [] : await stores.places.namesOf(ids);
  const places = new Map(named.map((names) => [names.tehsilId, names] as const));
  return heads.flatMap((head) => {
    const place = places.get(head.tehsilId);
    if (place === undefined) return [];
    const path = collectionPath(place.state, place.district, place.tehsil);
    return [runTable(head, { path, baseUrl })];
  });
}

/** Error for a failed run, in the response to a request with `wait=true`. */
export function runFailed(run: Run, view: RunView): DomainError {
  const failure: RunFailure = run.error ?? { code: 'internal', message: 'The run failed for an unknown reason.' };
  const { run_id, task_id, execution_time } = view;
  return storedError(failure, { status: 'failed', run_id, task_id, execution_time: execution_time ?? 0 });
}
