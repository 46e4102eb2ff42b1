import type { DomainError, Run, RunFailure } from '@headwater/core';
import type { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { StacItem } from '../wire/schemas/stac.ts';
import { publicItem } from './public-item.ts';
import { storedError, type RunView } from '../wire/schemas/run-view.ts';

/** The Items that a run published, in the run's order; those that a later run removed are left out. */
export async function itemsOf(
  run: Run,
  deps: ServiceDeps,
): Promise<{ items: z.infer<typeof StacItem>[]; version: number }> {
  const found = await Promise.all(run.itemIds.map((id) => deps.stores.catalog.itemById(id)));
  const published = found.filter((item) => item !== undefined);
  // Checked by the pipeline before publishing; `validateResponses` checks it once more.
  const items = published.map((item) => publicItem(item, deps.baseUrl) as z.infer<typeof StacItem>);
  return { items, version: published[0]?.version ?? 1 };
}

/** A failed run as the error that `wait=true` answers with. */
export function runFailed(run: Run, view: RunView): DomainError {
  const failure: RunFailure = run.error ?? { code: 'internal', message: 'The run failed without a reason.' };
  const { run_id, task_id, execution_time } = view;
  return storedError(failure, { status: 'failed', run_id, task_id, execution_time: execution_time ?? 0 });
}
