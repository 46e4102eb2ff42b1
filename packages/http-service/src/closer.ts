import type { ApiKeys, RunWorker, Stores } from '@headwater/core';
import type { ComputeParts } from './headwater-options.ts';
import type { ItemTexts } from './item-texts.ts';
import type { PlaceFiles } from './workbook/place-files.ts';

/** Parts of a service that end with it. */
export interface Closable {
  readonly closing: AbortController;
  readonly worker: RunWorker | undefined;
  readonly placeFiles: PlaceFiles | undefined;
  readonly itemTexts: ItemTexts;
  readonly apiKeys: ApiKeys;
  readonly stores: Stores;
  readonly compute: ComputeParts | undefined;
  readonly endRelay: () => void;
}

const DEFAULT_GRACE_MS = 3000;

/**
 * How a service ends: streams first, or they would watch runs of a worker that is gone; stores last, because the worker and the uses of
 * keys are written to the end. Safe to call twice.
 */
export function closer({
  closing,
  worker,
  placeFiles,
  itemTexts,
  apiKeys,
  stores,
  compute,
  endRelay,
}: Closable): (graceMs?: number) => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    closing.abort();
    await Promise.all([worker?.stop({ graceMs }), placeFiles?.close(), itemTexts.close()]);
    await compute?.pixels.close();
    endRelay();
    await apiKeys.close();
    await stores.close();
  };
  return (graceMs = DEFAULT_GRACE_MS) => (closed ??= close(graceMs));
}
