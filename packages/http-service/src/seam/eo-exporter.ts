import type { AssetStore, Clock, EoAccount, Logger, Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';

/** Exports published rasters to a platform such as Earth Engine. The store `eoExports` is its queue. */
export interface EoExporter {
  /** Finds rasters without export and does the steps of exports that are due, until `close`. */
  start(): void;
  /** Aborts the steps in progress; they can be continued later. */
  close(): Promise<void>;
  /** Does the steps that are due, for example after a requested retry. */
  wake(): void;
}

/** Parts of the service with which an exporter is created. */
export interface EoExporterParts {
  readonly stores: Pick<Stores, 'catalog' | 'eoAccounts' | 'eoExports' | 'places' | 'operatorLists' | 'runs'>;
  readonly assets: AssetStore;
  /** Reason why an account cannot be used now, or undefined. */
  readonly problemOf: (account: EoAccount) => Promise<string | undefined>;
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}
