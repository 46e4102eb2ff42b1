import type { EarthObservation } from './earth-observation.ts';
import type { EoAccount } from './eo-accounts.ts';
import type { PixelPlan } from './pixel-plan.ts';
import type { PixelEngine, PlanOutcome, ReadEstimate, WorkContext } from './pixels.ts';

/** Requests and pixels that a run got from a platform, for Items, logs and timings. Contains neither an e-mail nor a key. */
export interface SceneUsage {
  /** Name of the engine, such as `earth_engine`. */
  readonly engine: string;
  readonly accountId: number;
  /** Requests for pixels, also those that failed. */
  readonly requests: number;
  /** Pixels that were received, summed over bands. */
  readonly pixels: number;
  /** Bytes that were received. */
  readonly bytes: number;
  /**
   * Label by which the platform counts the computing time of this work. The platform reports this time only later, so it is read
   * after the run (`SceneUseStore`).
   */
  readonly workloadTag: string;
}

/** Scenes that a platform reads with the rights of one account, for one run or estimate. */
export interface SceneEngine {
  readonly earthObservation: EarthObservation;
  /**
   * Executes a plan with these scenes: reads their pixels from the platform into files, then executes the plan on these files by the
   * pixel engine `usual`.
   */
  readonly execute: (
    plan: PixelPlan,
    context: WorkContext,
    usual: Pick<PixelEngine, 'execute'>,
  ) => Promise<PlanOutcome>;
  /** Estimates a plan with these scenes. The pixel engine `usual` estimates memory and scratch rasters. */
  readonly estimate: (
    plan: PixelPlan,
    context: WorkContext,
    usual: Pick<PixelEngine, 'estimate'>,
  ) => Promise<ReadEstimate>;
  readonly usage: () => SceneUsage;
  /** Removes the temporary files of the engine. */
  readonly close: () => Promise<void>;
}

/** Work for which a scene engine is opened. */
export interface SceneWork {
  readonly accountId: number;
  /** Id of the run; undefined for an estimate or for the comparison of inputs. */
  readonly runId?: string;
}

/** Scene engines of platforms, such as Earth Engine. A run whose account has such an engine reads its scenes only there. */
export interface SceneEngines {
  /** Platform of the accounts that have an engine. */
  readonly platform: EoAccount['platform'];
  /**
   * Opens the engine of an account; undefined if runs with this account read the scenes of the service's own sources. If the account
   * cannot be used, throws `input_data` with the name of the account.
   */
  readonly open: (work: SceneWork) => Promise<SceneEngine | undefined>;
  /**
   * Asks the platform whether runs can use an account, and returns the reason if they cannot. If an account can be used, this answer
   * is cached for minutes. Also returns undefined if the platform does not respond, because the run itself retries.
   */
  readonly problemOf: (account: EoAccount, signal?: AbortSignal) => Promise<string | undefined>;
}
