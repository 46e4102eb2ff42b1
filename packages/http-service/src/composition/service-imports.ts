import { observedRunStore, type RunSignals } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import type { ServiceDeps } from '../deps.ts';
import type { ImportParts } from '../headwater-options.ts';

/** The importers of a service. What they publish is told to who waits for it in this process, like what the worker publishes. */
export function serviceImports(
  parts: ImportParts | undefined,
  { stores, signals }: { readonly stores: Stores; readonly signals: RunSignals },
): ServiceDeps['imports'] {
  if (parts === undefined) return undefined;
  const told = { ...stores, runs: observedRunStore(stores.runs, signals) };
  return { importers: parts.importers(told), scratchDir: parts.scratchDir };
}
