import type { ApiKeys, Stores } from '@headwater/identity';
import type { ComputeBackend } from '@headwater/core/runs';
import type { RunWorker } from '@headwater/core';
import type { ComputeParts } from '../headwater-options.ts';
import type { ItemTexts } from '../items/item-texts.ts';
import type { AnswersUnderWay } from '../service/answers-under-way.ts';
import type { JobWatch } from '../features/work-service/job-watch.ts';
import type { PlaceFiles } from '../features/public-data/workbook/place-files.ts';

/** Parts of a service that end with it. */
export interface Closable {
  readonly closing: AbortController;
  readonly underWay: Pick<AnswersUnderWay, 'ended'>;
  readonly worker: RunWorker | undefined;
  readonly backend: ComputeBackend;
  readonly placeFiles: PlaceFiles | undefined;
  readonly itemTexts: ItemTexts;
  readonly jobWatch: JobWatch;
  readonly apiKeys: ApiKeys;
  readonly stores: Stores;
  readonly compute: ComputeParts | undefined;
  readonly endRelay: () => void;
}

const DEFAULT_GRACE_MS = 3000;

/**
 * Ends a service: new requests are refused and streams end first, or they would watch runs of a worker that is gone; stores are closed last,
 * because answers under way read them, and the worker and the uses of keys are written to the end. All parts are ended, also if some of
 * them fail; then the first failure is thrown. Safe to call twice.
 */
export function closer({
  closing,
  underWay,
  worker,
  backend,
  placeFiles,
  itemTexts,
  jobWatch,
  apiKeys,
  stores,
  compute,
  endRelay,
}: Closable): (graceMs?: number) => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    closing.abort();
    const answered = underWay.ended(graceMs);
    const keepers = [placeFiles, itemTexts, jobWatch];
    await endInTurn([
      [() => worker?.stop({ graceMs }), () => backend.stop({ graceMs }), ...keepers.map((each) => () => each?.close())],
      [() => answered],
      [() => compute?.pixels.close()],
      [endRelay],
      [() => apiKeys.close()],
      [() => stores.close()],
    ]);
  };
  return (graceMs = DEFAULT_GRACE_MS) => (closed ??= close(graceMs));
}

/** Ends parts: runs the steps of each turn at once, the turns one after the other. A step that fails stops no other one; the first failure is thrown at the end. */
export async function endInTurn(turns: readonly (readonly (() => unknown)[])[]): Promise<void> {
  const failures: unknown[] = [];
  for (const steps of turns) {
    const ended = await Promise.allSettled(steps.map(async (step) => await step()));
    failures.push(...ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
