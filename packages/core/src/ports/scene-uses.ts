import type { SceneUsage } from './scene-engines.ts';

/** Reading of scenes at a platform by one run, and the computing time that the platform counted for it. */
export interface SceneUse extends Pick<SceneUsage, 'accountId' | 'requests' | 'pixels' | 'bytes' | 'workloadTag'> {
  readonly runId: string;
  /** Project that was charged; null if the attempts of the run were charged to several projects. */
  readonly project: string | null;
  /** Time at which the first attempt began to read, ISO 8601 UTC. */
  readonly startedAt: string;
  /** True if each attempt that began to read has ended, so that the counts contain all requests. False after a process was killed. */
  readonly isWhole: boolean;
  /** Computing time of all attempts, EECU-seconds; null if it is not known. */
  readonly eecuSeconds: number | null;
  /** Reason why the last read found no computing time; null if it found one, or before the first read. */
  readonly problem: string | null;
  /** Number of reads of the computing time since the last attempt began. */
  readonly reads: number;
  /** Time of the next read of the computing time, ISO 8601 UTC; null if no further read follows. */
  readonly dueAt: string | null;
}

/** Members of a use that are known when an attempt begins to read scenes. */
export interface NewSceneUse extends Pick<SceneUse, 'runId' | 'accountId' | 'workloadTag' | 'startedAt'> {
  readonly project: string;
  readonly dueAt: string;
}

/** A use of scenes that one process has leased until `dueAt`, to read its computing time. */
export interface ClaimedSceneUse extends SceneUse {
  readonly dueAt: string;
}

/** Sums of the uses of the runs that were requested for one tehsil. Uses that ended without a request are not included. */
export interface TehsilSceneUse extends Pick<SceneUse, 'requests' | 'pixels' | 'bytes'> {
  readonly tehsilId: number;
  /** Sum of the known computing times, EECU-seconds; null if none is known. */
  readonly eecuSeconds: number | null;
  /** Number of uses whose computing time is not yet known, but will be read again. */
  readonly missing: number;
  /** Number of uses whose computing time stays unknown, because no read follows. */
  readonly unknown: number;
  /** True if the computing time of each use is known, the last read found it, and no read follows. */
  readonly isFinal: boolean;
  /** Reason why the last read of one of these uses found no computing time; null if the last read of each use found a computing time. */
  readonly problem: string | null;
}

/** Computing time of earlier runs. */
export interface MeasuredUse {
  readonly runs: number;
  /** Sum over these runs. */
  readonly pixels: number;
  readonly eecuSeconds: number;
  /** Smallest and largest number of EECU-seconds per pixel among these runs. */
  readonly least: number;
  readonly most: number;
}

/**
 * Uses of scenes by runs. This store is also the queue of uses whose computing time is to be read from the platform. A use is removed together
 * with its run.
 */
export interface SceneUseStore {
  /**
   * Stores that an attempt begins to read scenes. For a second attempt of the run, the counts and the start of the first attempt stay, and the
   * computing time is read again later. Stores nothing for an unknown run.
   */
  begin(use: NewSceneUse): Promise<void>;
  /** Adds the counts of an attempt that ended. */
  end(runId: string, counts: Pick<SceneUse, 'requests' | 'pixels' | 'bytes'>): Promise<void>;
  /** Leases the use that has been due for the longest time: sets `dueAt` to the end of the lease. Undefined if none is due. */
  claim(now: Date, leaseMs: number): Promise<ClaimedSceneUse | undefined>;
  /** Changes a leased use. Returns false, and changes nothing, if the lease was lost or a further attempt began. */
  save(
    claimed: Pick<ClaimedSceneUse, 'runId' | 'dueAt'>,
    change: Pick<SceneUse, 'eecuSeconds' | 'problem' | 'reads' | 'dueAt'>,
  ): Promise<boolean>;
  ofRun(runId: string): Promise<SceneUse | undefined>;
  /**
   * Sums the uses of the runs that a run requested, for each tehsil, sorted by the id of the tehsil. If a requested run requests a further run,
   * the use of the further run is added to the tehsil of the requested run. Runs whose parameters name no tehsil are left out.
   */
  ofRequestedRuns(runId: string): Promise<readonly TehsilSceneUse[]>;
  /**
   * Returns sums over the newest runs, at most `most`. A run counts if the last read found its computing time, no further read follows, and its
   * counts contain all requests. Undefined if no run counts. `accountId` null: runs with any account.
   */
  measured(accountId: number | null, most: number): Promise<MeasuredUse | undefined>;
}
