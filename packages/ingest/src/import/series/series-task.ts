import type { ImportJob } from '../importer.ts';
import type { Findings } from '../shared/findings.ts';
import type { GatheredSeries } from './gathered-series.ts';

/** A file of series that is being read. */
export interface SeriesTask {
  readonly job: ImportJob;
  /** Micro-watersheds of the tehsil. */
  readonly uids: ReadonlySet<string>;
  readonly findings: Findings;
  readonly gathered: GatheredSeries;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day of the calendar as ISO 8601 writes it, `2017-07-01`. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const UNKNOWN = /^(|nan|na|n\/a|none|null|[+-]?inf(inity)?)$/i;

/** A number as files hold it, null for one that is not known; undefined for anything else. */
export function seriesNumber(value: unknown): number | null | undefined {
  if (value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (UNKNOWN.test(text)) return null;
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Why a row or feature of this uid is left out; undefined where it is not. */
export function uidProblem(uid: unknown, { uids }: SeriesTask): string | undefined {
  if (typeof uid !== 'string' || uid === '') return 'It has no uid; every one needs the uid of a micro-watershed.';
  if (uids.has(uid)) return undefined;
  const shown = JSON.stringify(uid.slice(0, 60).toWellFormed());
  return `${shown} is no stored micro-watershed of this tehsil; import its boundary first, or take it out.`;
}
