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

/** The run that published what this one shows: an orchestrated one shows what its callback made. */
export const publisherOf = ({ id, publishedBy: by }: Pick<Run, 'id' | 'publishedBy'>): string => by ?? id;

/** What a run published, as it is served. */
export interface Served {
  /** The run's own versions, in its order. */
  readonly items: z.infer<typeof StacItem>[];
  /** Those that later runs replaced. `latest` is null where nothing but the id is known any more. */
  readonly replaced: z.infer<typeof ReplacedItem>[];
  /** Those that no later run replaced. */
  readonly tables: z.infer<typeof RunTable>[];
  readonly version: number;
  /** Where an Item has fewer years than the version that it replaced: what it says of that. */
  readonly replacedYears: readonly string[];
}

/** The Items that a run published, each as that run made it, which of them are replaced by now, and its tables. */
export async function publishedBy(run: Run, deps: Ports<'stores' | 'baseUrl' | 'publication'>): Promise<Served> {
  const [published, tables] = await Promise.all([
    deps.stores.catalog.itemsOfRun(publisherOf(run)),
    tablesBy(run, deps),
  ]);
  const known = new Set(published.map(({ id }) => id));
  // Runs of version 0.1 whose Items were replaced then: no version of them was kept.
  const lost = run.itemIds.filter((id) => !known.has(id)).map((id) => ({ id, latest: null }));
  const replaced = published.filter((item) => item.replaced);
  return {
    // Checked by the pipeline before publishing; `validateResponses` checks it once more.
    items: published.map((item) => publicItem(item, deps) as z.infer<typeof StacItem>),
    replaced: [...lost, ...replaced.map((item) => ({ id: item.id, latest: itemAddress(item, deps.baseUrl) }))],
    tables,
    version: published[0]?.version ?? 1,
    replacedYears: published.flatMap(({ id, item }) => {
      const told = replacedYearsOf(item);
      return told === undefined ? [] : [`${id} ${told}`];
    }),
  };
}

/** Tables that a run published and that are shown. */
export async function tablesBy(
  run: Run,
  { stores, baseUrl }: Ports<'stores' | 'baseUrl'>,
): Promise<z.infer<typeof RunTable>[]> {
  // A run publishes with its success: whoever polls one that is at work costs no look.
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

/** A failed run as the error that `wait=true` answers with. */
export function runFailed(run: Run, view: RunView): DomainError {
  const failure: RunFailure = run.error ?? { code: 'internal', message: 'The run failed without a reason.' };
  const { run_id, task_id, execution_time } = view;
  return storedError(failure, { status: 'failed', run_id, task_id, execution_time: execution_time ?? 0 });
}
