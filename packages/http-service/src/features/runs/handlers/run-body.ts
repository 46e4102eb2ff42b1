import type { DomainError, Run, RunFailure } from '@headwater/core';
import { replacedYearsOf } from '@headwater/core/runs';
import { collectionPath } from '@headwater/stac';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { ReplacedItem } from '../schemas/runs.ts';
import type { StacItem } from '../../stac-api/schemas/stac.ts';
import { itemAddress, publicItem } from '../../../items/public-item.ts';
import { runTable, type RunTable } from '../../public-data/schemas/tables.ts';
import { storedError, type RunView } from '../schemas/run-view.ts';

/** Id of the run that published the results of this run; for an orchestrated run, the id of the callback's run. */
export const publisherOf = ({ id, publishedBy: by }: Pick<Run, 'id' | 'publishedBy'>): string => by ?? id;

/** Publications of a run, in wire form. */
export interface Served {
  /** Items in the versions that this run published, in the order of the run. */
  readonly items: z.infer<typeof StacItem>[];
  /** Items that later runs replaced; `latest` is null if only the id is still known. */
  readonly replaced: z.infer<typeof ReplacedItem>[];
  /** Tables that no later run replaced. */
  readonly tables: z.infer<typeof RunTable>[];
  readonly version: number;
  /** Notices of Items that have fewer years than the versions that they replaced. */
  readonly replacedYears: readonly string[];
}

/** Reads what a run published: its Items in the versions of the run, with the replaced ones marked, and its tables. */
export async function publishedBy(run: Run, deps: Ports<'stores' | 'baseUrl' | 'publication'>): Promise<Served> {
  const [published, tables] = await Promise.all([
    deps.stores.catalog.itemsOfRun(publisherOf(run)),
    tablesBy(run, deps),
  ]);
  const known = new Set(published.map(({ id }) => id));
  // Runs of version 0.1 stored no old versions of their Items, so replaced ones are lost.
  const lost = run.itemIds.filter((id) => !known.has(id)).map((id) => ({ id, latest: null }));
  const replaced = published.filter((item) => item.replaced);
  return {
    // The pipeline checked the Items before publishing; `validateResponses` checks them again.
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

/** Tables that a run published and that no later run replaced. */
export async function tablesBy(
  run: Run,
  { stores, baseUrl }: Ports<'stores' | 'baseUrl'>,
): Promise<z.infer<typeof RunTable>[]> {
  // A run publishes when it succeeds, so polling a run in progress needs no query.
  const heads = run.state === 'success' ? await stores.data.tablesOfRun(publisherOf(run)) : [];
  const ids = [...new Set(heads.map(({ tehsilId }) => tehsilId))];
  const places = new Map(
    await Promise.all(ids.map(async (each) => [each, await stores.lookups.namesOf(each)] as const)),
  );
  return heads.flatMap((head) => {
    const place = places.get(head.tehsilId);
    if (place === undefined) return [];
    const path = collectionPath(place.state, place.district, place.tehsil);
    return [runTable(head, { path, baseUrl })];
  });
}

/** Error with which `wait=true` reports a failed run. */
export function runFailed(run: Run, view: RunView): DomainError {
  const failure: RunFailure = run.error ?? { code: 'internal', message: 'The run failed for an unknown reason.' };
  const { run_id, task_id, execution_time } = view;
  return storedError(failure, { status: 'failed', run_id, task_id, execution_time: execution_time ?? 0 });
}
