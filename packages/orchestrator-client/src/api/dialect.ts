import type { ApiVersion } from '../http/address.ts';

/** Differences between the interfaces of Airflow 2 (`v1`) and Airflow 3 (`v2`); everything else is the same in both. */
export interface Dialect {
  readonly api: ApiVersion;
  /** Path of all calls below the root. */
  readonly prefix: string;
  readonly healthPath: string;
  /** Members that the body of a trigger needs in addition to `conf`. Airflow 3 requires a logical date, which may be null. */
  readonly triggerExtras: Readonly<Record<string, null>>;
  /**
   * Media type that is requested for a log. Plain text is preferred, because the client can read the end of a plain
   * text without storing the beginning in memory. Only v1 returns plain text.
   */
  readonly logAccept: 'text/plain' | 'application/json';
  /**
   * Returns the query that requests a result as JSON instead of Python's repr, for a version of the orchestrator (undefined if unknown).
   */
  readonly resultQuery: (version: string | undefined) => Readonly<Record<string, string>>;
  /**
   * Query that names the members of a DAG that a PATCH changes. Empty for `v1`, because the interface specification has no query in this
   * request.
   */
  readonly patchDagQuery: Readonly<Record<string, string>>;
  /** Query that names the members of a run that a PATCH changes. */
  readonly patchRunQuery: Readonly<Record<string, string>>;
  /** True if the server responds before it has stored a change, so that the next request may return the former state. */
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

/** True if the version, such as `2.10.3`, is at least `[2, 10]`; false if it is unknown. */
export function isAtLeast(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [theirMajor = 0, theirMinor = 0] = (version ?? '').split('.').map((part) => Number.parseInt(part, 10));
  return theirMajor > major || (theirMajor === major && theirMinor >= minor);
}
