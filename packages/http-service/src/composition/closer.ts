import type { ApiKeys, Stores } from '@headwater/identity';
import type { MapServer } from '@headwater/core/ports';
import type { ComputeBackend, ScopeCoordinator } from '@headwater/core/runs';
import type { RunWorker } from '@headwater/core';
import type { ComputeParts } from '../headwater-options.ts';
import type { HealthWatch } from '../health/create-health.ts';
import type { ItemTexts } from '../items/item-texts.ts';
import type { AuditUpkeep } from '../features/admin/audit-upkeep.ts';
import type { RequestCounter } from '../service/request-counter.ts';
import type { JobWatch } from '../features/work-service/job-watch.ts';
import type { EoExporter } from '../seam/eo-exporter.ts';
import type { Metrics } from '../seam/metrics.ts';
import type { CheckedUploads } from '../seam/uploads.ts';
import type { MapPublisher } from '../features/maps/map-publisher.ts';
import type { PlaceFiles } from '../features/public-data/workbook/place-files.ts';

/** Parts of a service that are closed together with the service. */
export interface Closable {
  readonly closing: AbortController;
  readonly requestCounter: Pick<RequestCounter, 'ended'>;
  readonly worker: RunWorker | undefined;
  readonly coordinator: ScopeCoordinator;
  readonly backend: ComputeBackend;
  readonly placeFiles: PlaceFiles | undefined;
  readonly itemTexts: ItemTexts;
  readonly imports: { readonly checkedUploads: Pick<CheckedUploads, 'close'> } | undefined;
  readonly mapServer: MapServer | undefined;
  readonly mapPublisher: MapPublisher | undefined;
  readonly eoExporter: EoExporter | undefined;
  readonly jobWatch: JobWatch;
  readonly auditUpkeep: AuditUpkeep;
  readonly healthWatch: HealthWatch | undefined;
  readonly apiKeys: ApiKeys;
  readonly stores: Stores;
  readonly compute: ComputeParts | undefined;
  readonly metrics: Pick<Metrics, 'close'> | undefined;
  readonly endRelay: () => void;
}

const DEFAULT_GRACE_MS = 3000;

/** Returns the function that closes a service. The stores are closed last, because requests and the worker use them. */
export function closer({
  closing,
  requestCounter,
  worker,
  coordinator,
  backend,
  placeFiles,
  itemTexts,
  imports,
  mapServer,
  mapPublisher,
  eoExporter,
  jobWatch,
  auditUpkeep,
  healthWatch,
  apiKeys,
  stores,
  compute,
  metrics,
  endRelay,
}: Closable): (graceMs?: number) => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    closing.abort();
    const answered = requestCounter.ended(graceMs);
    const watchers = [jobWatch, auditUpkeep, healthWatch];
    const keepers = [coordinator, placeFiles, itemTexts, mapPublisher, eoExporter, ...watchers];
    await runInStages([
      [() => worker?.stop({ graceMs }), () => backend.stop({ graceMs }), ...keepers.map((each) => () => each?.close())],
      [() => answered],
      [() => imports?.checkedUploads.close(), () => compute?.pixels.close(), () => mapServer?.close()],
      [endRelay, () => metrics?.close()],
      [() => apiKeys.close()],
      [() => stores.close()],
    ]);
  };
  return (graceMs = DEFAULT_GRACE_MS) => (closed ??= close(graceMs));
}

/** Runs stages one after the other. The steps of a stage run at the same time. Throws the first error at the end. */
export async function runInStages(stages: readonly (readonly (() => unknown)[])[]): Promise<void> {
  const failures: unknown[] = [];
  for (const steps of stages) {
    const ended = await Promise.allSettled(steps.map(async (step) => await step()));
    failures.push(...ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
