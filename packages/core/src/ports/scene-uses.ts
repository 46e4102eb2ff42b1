import type { SceneUsage } from './scene-engines.ts';

/** Reading of scenes at a platform by one run, with the computing time that the platform counted. */
export interface SceneUse extends Pick<SceneUsage, 'accountId' | 'requests' | 'pixels' | 'bytes' | 'workloadTag'> {
  readonly runId: string;
  /** Project that was charged; null for several projects. */
  readonly project: string | null;
  /** Time at which the first attempt began to read, ISO 8601 UTC. */
  readonly startedAt: string;
  /** True if all attempts have ended, so that the counts are complete. */
  readonly isWhole: boolean;
  /** Computing time of all attempts, EECU-seconds. */
  readonly eecuSeconds: number | null;
  /** Reason why the last read found no computing time. */
  readonly problem: string | null;
  /** Number of reads of the computing time since the last attempt began. */
  readonly reads: number;
  /** Time of the next read of the computing time, ISO 8601 UTC. */
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

/** Sums over the uses of the runs for one tehsil. Ended uses without a request are left out. */
export interface TehsilSceneUse extends Pick<SceneUse, 'requests' | 'pixels' | 'bytes'> {
  readonly tehsilId: number;
  /** Sum of the known computing times, EECU-seconds. */
  readonly eecuSeconds: number | null;
  /** Number of uses whose computing time will be read again. */
  readonly missing: number;
  /** Number of uses whose computing time stays unknown. */
  readonly unknown: number;
  /** True if the computing time of each use is known and no read follows. */
  readonly isFinal: boolean;
  /** Reason why the last read of one of these uses found no computing time. */
  readonly problem: string | null;
}

/** Computing time of earlier runs. */
export interface MeasuredUse {
  readonly runs: number;
  readonly pixels: number;
  readonly eecuSeconds: number;
  /** Smallest and largest number of EECU-seconds per pixel. */
  readonly least: number;
  readonly most: number;
}

/** Uses of scenes by runs, and the queue of uses whose computing time must be read. A use is removed with its run. */
export interface SceneUseStore {
  /** Stores that an attempt begins to read scenes. A later attempt keeps the counts and the start. */
  begin(use: NewSceneUse): Promise<void>;
  /** Adds the counts of an attempt that ended. */
  end(runId: string, counts: Pick<SceneUse, 'requests' | 'pixels' | 'bytes'>): Promise<void>;
  /** Leases the use that has been due for the longest time; undefined if none is due. */
  claim(now: Date, leaseMs: number): Promise<ClaimedSceneUse | undefined>;
  /** Changes a leased use. Returns false without a change if the lease was lost or a further attempt began. */
  save(
    claimed: Pick<ClaimedSceneUse, 'runId' | 'dueAt'>,
    change: Pick<SceneUse, 'eecuSeconds' | 'problem' | 'reads' | 'dueAt'>,
  ): Promise<boolean>;
  ofRun(runId: string): Promise<SceneUse | undefined>;
  /** Sums the uses of the runs that a run requested, directly or indirectly, sorted by tehsil id. */
  ofRequestedRuns(runId: string): Promise<readonly TehsilSceneUse[]>;
  /**
   * Returns sums over at most `most` newest runs with a final computing time. `accountId` null: runs of any account.
   */
  measured(accountId: number | null, most: number): Promise<MeasuredUse | undefined>;
}
