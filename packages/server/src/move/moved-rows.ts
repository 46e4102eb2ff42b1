import type { MovedKind, MovedRights, MoveFrom, Stores } from '@headwater/identity';
import { sha256 } from '@headwater/core/values';
import type { MoveOutcome, MoveReport, RecordRef } from './move-report.ts';

/** A move from a live system: its stores, its options and its report. */
export interface Move {
  readonly stores: Stores;
  /** Name of the live system. */
  readonly source: string;
  /** True: checks every record and stores nothing. */
  readonly isTrial: boolean;
  /** True: superusers of the live system become superusers here. */
  readonly withSuperusers: boolean;
  /** True: moved users may start computations. */
  readonly mayCompute: boolean;
  /** True: replaces layers that this service computed or imported. */
  readonly replaceLayers: boolean;
  /** Owner of moved layers and Earth-observation accounts. */
  readonly ownerId: number;
  readonly report: MoveReport;
}

/** Moved rows of one kind, by their ids in the live system. */
export interface MovedRows {
  /** Id in this service; undefined for a row that was not moved. */
  idHere(sourceId: string): string | undefined;
  /** Stores a row, unless an earlier move stored equal content. In a dry run, calls `check` instead of `store`. */
  put(ref: RecordRef, row: RowToMove): Promise<MoveOutcome>;
}

/** A row, and the function that stores it. */
export interface RowToMove {
  /** Content that is compared with the row of an earlier move. */
  readonly content: unknown;
  /** Id of the row in this service, if this id is free. */
  readonly expected: string;
  /** False if another row has this id. */
  readonly isFree?: boolean;
  /** False if the moved row was removed from this service; `put` then stores the row again. */
  readonly isHere?: boolean;
  /** True if the row gives a right that no earlier move has given. */
  readonly adds?: (given: MovedRights) => boolean;
  /** Stores the row. Returns the row's id if the id differs from `expected`. */
  readonly store: (from: MoveFrom) => Promise<string | number | void>;
  /** Checks the row in a dry run. Throws `DomainError` if the row would be refused. */
  readonly check?: () => Promise<unknown>;
}

/** Reads the rows of a kind that were moved before. */
export async function movedRows({ stores, source, isTrial, report }: Move, kind: MovedKind): Promise<MovedRows> {
  const rows = new Map((await stores.moves.moved(source, kind)).map((row) => [row.sourceId, row]));
  const hasOwnIds = ['user', 'project', 'eoAccount'].includes(kind);
  const isNoted = !['organization', 'user', 'project', 'apiKey', 'eoAccount'].includes(kind);
  const here = new Map([...rows].map(([sourceId, { targetId }]) => [sourceId, targetId]));
  return {
    idHere: (sourceId) => here.get(sourceId),
    put: async (ref, { content, expected, isFree = true, isHere = true, adds, store, check }) => {
      const { id: sourceId } = ref;
      const digest = await sha256(JSON.stringify(content));
      const before = rows.get(sourceId);
      const outcome =
        before === undefined
          ? 'new'
          : before.digest === digest && isHere && adds?.(before.rights) !== true
            ? 'equal'
            : 'changed';
      if (outcome !== 'equal') {
        const from = { source, sourceId, digest };
        const stored = isTrial ? await check?.().then(() => undefined) : await store(from);
        if (!isTrial && isNoted) await stores.moves.note({ ...from, kind, targetId: String(stored ?? expected) });
        here.set(sourceId, String(stored ?? before?.targetId ?? (isFree ? expected : UNKNOWN)));
      }
      report.count(ref, outcome);
      const idHere = here.get(sourceId) ?? expected;
      if (idHere !== expected && hasOwnIds) report.otherId(ref, idHere === UNKNOWN ? null : idHere);
      return outcome;
    },
  };
}

/** Placeholder for an id that a dry run does not know. */
const UNKNOWN = '-1';
