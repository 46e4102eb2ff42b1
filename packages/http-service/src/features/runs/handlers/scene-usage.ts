import type { Run } from '@headwater/core';
import type { MeasuredUse, SceneUse } from '@headwater/core/ports';
import { isScopeRun, type RunEstimate } from '@headwater/core/runs';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { SceneEngineEstimate, SceneUsage } from '../schemas/scene-usage.ts';
import { areaUsage } from './area-usage.ts';

const MOST_RUNS = 20;
const NOT_READ = 'The computing time is read from Cloud Monitoring some minutes after the end of the run.';
const NO_RUN =
  'No run with an account of Earth Engine has been measured here, and Google documents no computing time per pixel. The first run with such an account will be measured; later dry runs then have an estimate.';

const isUnused = ({ isWhole, requests }: SceneUse): boolean => isWhole && requests === 0;

const isFinal = ({ eecuSeconds, problem, dueAt }: SceneUse): boolean =>
  eecuSeconds !== null && problem === null && dueAt === null;

/**
 * Scenes that a run read from a platform, in wire form; null if there are none. The account decides, because a run
 * without the parameter `sceneEngine` can also read scenes from a platform.
 */
export async function sceneUsageOf(run: Run, { stores }: Ports<'stores'>): Promise<z.infer<typeof SceneUsage> | null> {
  if (isScopeRun(run)) return (await areaUsage(run, { stores }))?.usage ?? null;
  if (typeof run.params['eoAccountId'] !== 'number') return null;
  const use = await stores.sceneUses.ofRun(run.id);
  return use === undefined || isUnused(use) ? null : usageView(use);
}

function usageView(use: SceneUse): z.infer<typeof SceneUsage> {
  const { accountId, requests, pixels, bytes, workloadTag, eecuSeconds, problem } = use;
  return {
    account_id: accountId,
    requests,
    pixels,
    bytes,
    workload_tag: workloadTag,
    eecu_seconds: eecuSeconds,
    eecu_final: isFinal(use),
    eecu_reason: problem ?? (eecuSeconds === null ? NOT_READ : null),
    tehsils: null,
  };
}

/** Scene engine of a dry run, with the expected computing time. The time is estimated from earlier runs. */
export async function sceneEngineEstimate(
  { engine, accountId }: NonNullable<RunEstimate['sceneEngine']>,
  pixels: number,
  { stores: { sceneUses } }: Ports<'stores'>,
): Promise<z.infer<typeof SceneEngineEstimate>> {
  const own = await sceneUses.measured(accountId, MOST_RUNS);
  const measured = own ?? (await sceneUses.measured(null, MOST_RUNS));
  const shown = { engine, account_id: accountId, pixels };
  if (measured === undefined) return { ...shown, eecu_seconds: null, eecu_range: null, eecu_reason: NO_RUN };
  const { least, most } = measured;
  return {
    ...shown,
    eecu_seconds: (pixels * measured.eecuSeconds) / measured.pixels,
    eecu_range: [pixels * least, pixels * most],
    eecu_reason: reasonOf(measured, own === undefined ? 'any account' : 'this account'),
  };
}

function reasonOf({ runs, pixels, eecuSeconds, least, most }: MeasuredUse, accounts: string): string {
  const perMillion = (perPixel: number): string => (perPixel * 1e6).toPrecision(3);
  const range = `${perMillion(least)} to ${perMillion(most)}`;
  return `From ${runs === 1 ? '1 run' : `${runs} runs`} with ${accounts}: ${perMillion(eecuSeconds / pixels)} EECU-seconds per million pixels (${range}).`;
}
