import { DomainError, type ImportRequest, invalidField, type DomainStores, type Timers } from '@headwater/core';

/** Dependencies of the importers of a tehsil's data. */
export interface ImportDeps {
  readonly stores: Pick<DomainStores, 'places' | 'lookups' | 'runs' | 'data' | 'catalog'>;
  /** Id of the account for which the import is published. */
  readonly ownerId: number;
  readonly now?: () => Date;
  /**
   * Length of the lease of the run, ms. If the process dies, the same file can be imported again when the lease has expired.
   * Default: five minutes.
   */
  readonly leaseMs?: number;
  /** Name of this process as the worker of the run. Default: `import`. */
  readonly workerName?: string;
  /**
   * True for a worker that is known to be dead. If the lease of an unfinished import of the same file belongs to such a
   * worker, the lease ends immediately, and the file is imported again. Default: no worker is known to be dead.
   */
  readonly isDead?: (workerId: string) => boolean;
  /** Timers for the lease of the run; default: timers of the platform. */
  readonly timers?: Timers;
}

/** Throws `cancelled` if the import was stopped. */
export function throwIfStopped({ signal }: Pick<ImportRequest, 'signal'>): void {
  if (signal.aborted) throw new DomainError('cancelled', 'The import was stopped; nothing was stored.');
}

/** Creates the `validation` error for a file that is refused as a whole. `problem` ends with a full stop. */
export const badFile = ({ fileName }: Pick<ImportRequest, 'fileName'>, problem: string): DomainError =>
  invalidField('file', `${JSON.stringify(fileName.slice(0, 200))} was not imported: ${problem}`);

export type { ImportRequest, ImportReport, Importer } from '@headwater/core';
export type { ImportKind, ImportPlace, RefusedRow, RepairedRow } from '@headwater/core/ports';
