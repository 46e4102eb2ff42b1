import { DomainError, type ImportRequest, invalidField, type DomainStores, type Timers } from '@headwater/core';

/** Dependencies of the importers of a tehsil's data. */
export interface ImportDeps {
  readonly stores: Pick<DomainStores, 'places' | 'lookups' | 'runs' | 'data' | 'catalog'>;
  /** Account that owns the import. */
  readonly ownerId: number;
  readonly now?: () => Date;
  /**
   * Lease of the run, ms (default: five minutes). After a crash, the file can be imported again when the lease has
   * expired.
   */
  readonly leaseMs?: number;
  /** Name of this process as a worker. Default: `import`. */
  readonly workerName?: string;
  /** True if the worker is dead. The lease of its unfinished import then ends at once. */
  readonly isDead?: (workerId: string) => boolean;
  readonly timers?: Timers;
}

/** Throws `cancelled` if the import was stopped. */
export function throwIfStopped({ signal }: Pick<ImportRequest, 'signal'>): void {
  if (signal.aborted) throw new DomainError('cancelled', 'The import was stopped; nothing was stored.');
}

/** `validation` error for a whole file. `problem` ends with a full stop. */
export const badFile = ({ fileName }: Pick<ImportRequest, 'fileName'>, problem: string): DomainError =>
  invalidField('file', `${JSON.stringify(fileName.slice(0, 200))} was not imported: ${problem}`);

export type { ImportRequest, ImportReport, Importer } from '@headwater/core';
export type { ImportKind, ImportPlace, RefusedRow, RepairedRow } from '@headwater/core/ports';
