import type { ImportNotes } from '../shared/import-notes.ts';
import type { ImportRequest } from '../shared/import-deps.ts';
import { decimal, isUnknown } from '../shared/numbers.ts';
import type { SeriesCollector } from './series-collector.ts';

/** File of series that is being read, with the data and notes that were collected so far. */
export interface SeriesTask {
  readonly request: ImportRequest;
  /** Uids of the tehsil's micro-watersheds. */
  readonly uids: ReadonlySet<string>;
  readonly findings: ImportNotes;
  readonly collected: SeriesCollector;
}

/** Number from a value in a file; null for a value that means unknown, undefined for other values. */
export function seriesNumber(value: unknown): number | null | undefined {
  if (value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' || isUnknown(value) ? null : decimal(value);
}

/** Reason why a uid is left out; undefined for a valid uid. */
export function uidProblem(uid: unknown, { uids }: SeriesTask): string | undefined {
  if (typeof uid !== 'string' || uid === '')
    return 'It has no uid; each row or feature needs the uid of a micro-watershed.';
  if (uids.has(uid)) return undefined;
  const shown = JSON.stringify(uid.slice(0, 60).toWellFormed());
  return `${shown} is not a stored micro-watershed of this tehsil; import its boundary first, or remove the row or feature.`;
}
