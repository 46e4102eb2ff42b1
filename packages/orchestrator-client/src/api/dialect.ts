import type { ApiVersion } from '../http/address.ts';

/** Differences between the interfaces of Airflow 2 (`v1`) and Airflow 3 (`v2`). */
export interface Dialect {
  readonly api: ApiVersion;
  /** Path of all calls below the root. */
  readonly prefix: string;
  readonly healthPath: string;
  /** Members of a trigger's body in addition to `conf`. Airflow 3 requires a logical date, which may be null. */
  readonly triggerExtras: Readonly<Record<string, null>>;
  /** Requested type of a log. Only v1 returns plain text, whose end can be read without storing the beginning. */
  readonly logAccept: 'text/plain' | 'application/json';
  /** Query for a result as JSON instead of Python's repr. `version`: undefined if unknown. */
  readonly resultQuery: (version: string | undefined) => Readonly<Record<string, string>>;
  /** Query that names the changed members of a DAG; empty for `v1`. */
  readonly patchDagQuery: Readonly<Record<string, string>>;
  /** Query that names the changed members of a run; empty for `v1`. */
  readonly patchRunQuery: Readonly<Record<string, string>>;
  /** True if a response may precede the stored change, so that the next request may return the former state. */
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
    patchDagQuery: {},
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
    patchDagQuery: { update_mask: 'is_paused' },
    patchRunQuery: { update_mask: 'state' },
    answersBeforeStoring: true,
  },
};

/** True if the version is at least `[major, minor]`, such as `[2, 10]`; false if the version is unknown. */
export function isAtLeast(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [theirMajor = 0, theirMinor = 0] = (version ?? '').split('.').map((part) => Number.parseInt(part, 10));
  return theirMajor > major || (theirMajor === major && theirMinor >= minor);
}
