import type { ApiKeys, ComputeBackend, RunWorker, Stores } from '@headwater/core';
import type { ComputeParts } from './headwater-options.ts';
import type { ItemTexts } from './item-texts.ts';
import type { AnswersUnderWay } from './service/answers-under-way.ts';
import type { JobWatch } from './work-service/job-watch.ts';
import type { PlaceFiles } from './workbook/place-files.ts';

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
 * because answers under way read them, and the worker and the uses of keys are written to the end. Safe to call twice.
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
    await Promise.all([worker?.stop({ graceMs }), backend.stop({ graceMs }), ...keepers.map((each) => each?.close())]);
    await answered;
    await compute?.pixels.close();
    endRelay();
    try {
      await apiKeys.close();
    } finally {
      await stores.close();
    }
  };
  return (graceMs = DEFAULT_GRACE_MS) => (closed ??= close(graceMs));
}
