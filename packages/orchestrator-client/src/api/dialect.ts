import type { ApiVersion } from '../http/address.ts';

/** What differs between Airflow 2 (`v1`) and Airflow 3 (`v2`); all else is asked in the same words. */
export interface Dialect {
  readonly api: ApiVersion;
  /** Path of all calls below the root. */
  readonly prefix: string;
  readonly healthPath: string;
  /** Members that a trigger's body needs beside `conf`. Airflow 3 demands a logical date and takes null. */
  readonly triggerExtras: Readonly<Record<string, null>>;
  /** The form of a log that is asked for. Only v1 has plain text, whose tail can be kept while it streams. */
  readonly logAccept: 'text/plain' | 'application/json';
  /** Query that makes a result come as JSON instead of as Python's repr, by the orchestrator's version. */
  readonly resultQuery: (version: string) => Readonly<Record<string, string>>;
  /** Query that says which members of a run a PATCH changes. */
  readonly patchRunQuery: Readonly<Record<string, string>>;
  /** True where a change is answered before it is stored, so that the next request may not see it. */
  readonly answersBeforeStoring: boolean;
}

export const DIALECTS: Readonly<Record<ApiVersion, Dialect>> = {
  v1: {
    api: 'v1',
    prefix: 'api/v1/',
    healthPath: 'api/v1/health',
    triggerExtras: {},
    logAccept: 'text/plain',
    resultQuery: (version) => (isAtLeast(version, [2, 10]) ? { stringify: 'false' } : {}),
    patchRunQuery: {},
    answersBeforeStoring: false,
  },
  v2: {
    api: 'v2',
    prefix: 'api/v2/',
    healthPath: 'api/v2/monitor/health',
    triggerExtras: { logical_date: null },
    logAccept: 'application/json',
    resultQuery: () => ({}),
    patchRunQuery: { update_mask: 'state' },
    answersBeforeStoring: true,
  },
};

/** Oldest Airflow whose lists can be narrowed to what has changed (`updated_at_gte`); older ones refuse the parameter. */
export const LEAST_VERSION = [2, 6] as const;

/** True where `2.10.3` is at least `[2, 10]`. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [theirMajor = 0, theirMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return theirMajor > major || (theirMajor === major && theirMinor >= minor);
}
