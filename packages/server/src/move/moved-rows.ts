import type { MovedKind, MovedRights, MoveFrom, Stores } from '@headwater/identity';
import { sha256 } from '@headwater/core/values';
import type { MoveOutcome, MoveReport, RecordRef } from './move-report.ts';

/** A move from a live system: its stores, its options and its report. */
export interface Move {
  readonly stores: Stores;
  /** Name of the live system in the header of its dumps. */
  readonly source: string;
  /** True: everything is checked, nothing is stored. */
  readonly isTrial: boolean;
  /** True: superusers of the live system become superusers of this service. */
  readonly withSuperusers: boolean;
  /** True: all moved users may start computations. */
  readonly mayCompute: boolean;
  /** True: layers that this service computed or imported are replaced. */
  readonly replaceLayers: boolean;
  /** Account that owns moved layers and Earth-observation accounts. */
  readonly ownerId: number;
  readonly report: MoveReport;
}

/** Rows of one kind that were moved, by their ids in the live system. */
export interface MovedRows {
  /** Id in this service; undefined if the row was not moved. */
  idHere(sourceId: string): string | undefined;
  /**
   * Stores a row, unless an earlier move stored it with the same content. Counts and returns the outcome. In a dry run nothing is
   * stored.
   */
  put(ref: RecordRef, row: RowToMove): Promise<MoveOutcome>;
}

/** A row, and the function that stores it. */
export interface RowToMove {
  /** Content of the row, by which it is compared with the row of an earlier move. */
  readonly content: unknown;
  /** Id that the row will have, if it is free. */
  readonly expected: string;
  /** False if the id is taken in this service, so that the row gets another id. */
  readonly isFree?: boolean;
  /** False if an earlier move stored the row and it was then removed from this service. The row is then stored again. */
  readonly isHere?: boolean;
  /** True if the row gives a right that no earlier move has given. Such rights depend on options, so they are not part of `content`. */
  readonly adds?: (given: MovedRights) => boolean;
  /** Stores the row. Returns its id in this service, or nothing if this is the expected id. */
  readonly store: (from: MoveFrom) => Promise<string | number | void>;
  /** Further check of the row in a dry run. Default: no further check. */
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

/** Id in a dry run for a row whose real id would be assigned only when the row is stored. */
const UNKNOWN = '-1';
