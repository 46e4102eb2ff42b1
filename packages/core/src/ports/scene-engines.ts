import type { EarthObservation } from './earth-observation.ts';
import type { EoAccount } from './eo-accounts.ts';
import type { PixelPlan } from './pixel-plan.ts';
import type { PixelEngine, PlanOutcome, ReadEstimate, WorkContext } from './pixels.ts';

/** Requests and pixels of one run at a platform. Contains no e-mail address and no key of the account. */
export interface SceneUsage {
  /** Name of the engine, such as `earth_engine`. */
  readonly engine: string;
  readonly accountId: number;
  /** Number of requests for pixels, including failed requests. */
  readonly requests: number;
  /** Pixels that were received, summed over bands. */
  readonly pixels: number;
  readonly bytes: number;
  /** Label by which the platform counts the computing time (`SceneUseStore`). */
  readonly workloadTag: string;
}

/** Scenes that a platform reads with the rights of one account, for one run or estimate. */
export interface SceneEngine {
  readonly earthObservation: EarthObservation;
  /** Executes a plan with these scenes; the pixel engine `usual` reads the downloaded files. */
  readonly execute: (
    plan: PixelPlan,
    context: WorkContext,
    usual: Pick<PixelEngine, 'execute'>,
  ) => Promise<PlanOutcome>;
  /** Estimates a plan with these scenes; the pixel engine `usual` estimates memory and disk. */
  readonly estimate: (
    plan: PixelPlan,
    context: WorkContext,
    usual: Pick<PixelEngine, 'estimate'>,
  ) => Promise<ReadEstimate>;
  readonly usage: () => SceneUsage;
  readonly close: () => Promise<void>;
}

/** Work for which a scene engine is opened. */
export interface SceneWork {
  readonly accountId: number;
  /** Id of the run; undefined for an estimate or for the comparison of inputs. */
  readonly runId?: string;
}

/**
 * Scene engines of a platform, such as Earth Engine. Runs with an account of the platform read all scenes from this
 * platform.
 */
export interface SceneEngines {
  /** Platform of the accounts that have an engine. */
  readonly platform: EoAccount['platform'];
  /** Opens the engine of an account; undefined if the account has none. Throws `input_data` for an unusable account. */
  readonly open: (work: SceneWork) => Promise<SceneEngine | undefined>;
  /**
   * Asks the platform for the reason why runs cannot use an account. Undefined if there is no such reason, or if the
   * platform does not respond.
   */
  readonly problemOf: (account: EoAccount, signal?: AbortSignal) => Promise<string | undefined>;
}
