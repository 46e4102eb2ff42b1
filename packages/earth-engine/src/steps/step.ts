import type { AssetStore, EoAccount } from '@headwater/core';
import type { ClaimedExport, DatedLayer, DomainStores, EoExportChange } from '@headwater/core/ports';
import type { ServiceAccount } from '@headwater/net/google';
import { type GoogleApi, PlatformError } from '../google-api.ts';

/** OAuth scopes that exports need. */
export const EARTH_ENGINE_SCOPES = [
  'https://www.googleapis.com/auth/earthengine',
  'https://www.googleapis.com/auth/devstorage.read_write',
] as const;

/** Settings of exports. */
export interface ExportSettings {
  /** Bucket for files until they are imported, in the multi-region US or in us-central1. */
  readonly bucket: string;
  /** Folder of the assets below `projects/{project}/assets/`. */
  readonly folder: string;
  /** True: everyone may read the assets. */
  readonly isPublic: boolean;
}

/** Parts of the service that a step uses. */
export interface StepParts {
  readonly stores: Pick<DomainStores, 'catalog' | 'eoAccounts' | 'eoExports' | 'places'>;
  readonly assets: Pick<AssetStore, 'open'>;
  readonly settings: ExportSettings;
  readonly problemOf: (account: EoAccount) => Promise<string | undefined>;
  readonly serviceOf: (account: EoAccount) => Promise<ServiceAccount>;
  readonly apiOf: (service: ServiceAccount) => GoogleApi;
  readonly now: () => Date;
  readonly random: () => number;
}

/** The lease of a process on a claimed export. */
export interface Hold {
  /** Aborts if this process ends or loses the export. */
  readonly signal: AbortSignal;
  /** Stores an intermediate result and extends the lease. Returns false if another process has the export. */
  readonly keep: (change: EoExportChange) => Promise<boolean>;
}

/** Failure that ends an export: it is not retried automatically. */
export class FinalFailure extends Error {}

/** One export with the rights of its account. */
export interface Rights {
  readonly claimed: ClaimedExport;
  readonly parts: StepParts;
  readonly api: GoogleApi;
  readonly project: string;
  readonly hold: Hold;
  readonly signal: AbortSignal;
}

/** An export whose file is still the current file of its layer. */
export interface Step extends Rights {
  readonly layer: DatedLayer;
}

/** Stores an intermediate result. Throws if another process has the export. */
export async function keep({ hold }: Rights, change: EoExportChange): Promise<void> {
  if (!(await hold.keep(change))) throw new PlatformError('transient', 'Another process continues this export.');
}

/** Change that sets a pause before the next step. */
export const waiting = ({ now }: Pick<StepParts, 'now'>, pauseMs: number, problem: string | null): EoExportChange => ({
  dueAt: new Date(now().getTime() + pauseMs).toISOString(),
  problem,
});

/** Returns the result of a request; undefined if the requested object does not exist. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'missing') return undefined;
    throw error;
  }
}
