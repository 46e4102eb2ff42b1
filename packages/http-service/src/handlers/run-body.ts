import type { DomainError, Run, RunFailure } from '@headwater/core';
import type { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { ReplacedItem } from '../wire/schemas/runs.ts';
import type { StacItem } from '../wire/schemas/stac.ts';
import { itemAddress, publicItem } from './public-item.ts';
import { storedError, type RunView } from '../wire/schemas/run-view.ts';

/** What a run published, as it is served. */
export interface ServedItems {
  /** The run's own versions, in its order. */
  readonly items: z.infer<typeof StacItem>[];
  /** Those that later runs replaced. `latest` is null where nothing but the id is known any more. */
  readonly replaced: z.infer<typeof ReplacedItem>[];
  readonly version: number;
}

/** The Items that a run published, each as that run made it, and which of them are replaced by now. */
export async function itemsOf(run: Run, deps: ServiceDeps): Promise<ServedItems> {
  const published = await deps.stores.catalog.itemsOfRun(run.id);
  const known = new Set(published.map(({ id }) => id));
  // Runs of version 0.1 whose Items were replaced then: no version of them was kept.
  const lost = run.itemIds.filter((id) => !known.has(id)).map((id) => ({ id, latest: null }));
  const replaced = published.filter((item) => item.replaced);
  return {
    // Checked by the pipeline before publishing; `validateResponses` checks it once more.
    items: published.map((item) => publicItem(item, deps) as z.infer<typeof StacItem>),
    replaced: [...lost, ...replaced.map((item) => ({ id: item.id, latest: itemAddress(item, deps.baseUrl) }))],
    version: published[0]?.version ?? 1,
  };
}

/** A failed run as the error that `wait=true` answers with. */
export function runFailed(run: Run, view: RunView): DomainError {
  const failure: RunFailure = run.error ?? { code: 'internal', message: 'The run failed without a reason.' };
  const { run_id, task_id, execution_time } = view;
  return storedError(failure, { status: 'failed', run_id, task_id, execution_time: execution_time ?? 0 });
}
