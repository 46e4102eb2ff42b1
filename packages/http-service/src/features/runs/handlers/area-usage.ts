import type { Run } from '@headwater/core';
import type { RunPart, TehsilSceneUse } from '@headwater/core/ports';
import { hasEnded, partState, scopeParams } from '@headwater/core/runs';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { SceneUsage } from '../schemas/scene-usage.ts';

type Tehsils = NonNullable<z.infer<typeof SceneUsage>['tehsils']>;
/**
 * Kind of a tehsil by its computing time. `missing`: not known yet; `unknown`: will not be known; `without`: no scenes.
 */
type Kind = 'measured' | 'missing' | 'unknown' | 'without';

/** Scenes that were read from a platform for the tehsils of a run. */
export interface AreaUsage {
  readonly usage: z.infer<typeof SceneUsage>;
  /** Computing time of a tehsil, EECU-seconds; null if the sum does not contain the time of this tehsil. */
  readonly secondsOf: (tehsilId: number) => number | null;
}

/**
 * Sums the scenes of all runs that a run started. Reused results of earlier runs do not count. Undefined if the run
 * has no Earth-observation account, or if no scenes were read.
 */
export async function areaUsage(
  run: Run,
  { stores }: Ports<'stores'>,
  partsOfRun?: readonly RunPart[],
): Promise<AreaUsage | undefined> {
  const { eoAccountId } = scopeParams.parse(run.params).request;
  if (typeof eoAccountId !== 'number') return undefined;
  const uses = await stores.sceneUses.ofRequestedRuns(run.id);
  if (uses.length === 0) return undefined;
  const byTehsil = new Map(uses.map((use) => [use.tehsilId, use] as const));
  const parts = partsOfRun ?? (await stores.runs.parts(run.id));
  const kinds = parts.map((part) => [part.tehsilId, kindOf(part, run, byTehsil.get(part.tehsilId))] as const);
  const measured = new Map(
    kinds.flatMap(([tehsilId, kind]) => {
      const use = kind === 'measured' ? byTehsil.get(tehsilId) : undefined;
      return use === undefined ? [] : [[tehsilId, use] as const];
    }),
  );
  const tehsils = countTehsils(kinds, [...measured.values()], uses);
  const sum = (name: 'requests' | 'pixels' | 'bytes'): number => uses.reduce((total, use) => total + use[name], 0);
  const seconds = [...measured.values()].reduce((total, { eecuSeconds }) => total + (eecuSeconds ?? 0), 0);
  const usage = {
    account_id: eoAccountId,
    requests: sum('requests'),
    pixels: sum('pixels'),
    bytes: sum('bytes'),
    workload_tag: null,
    eecu_seconds: tehsils.measured === 0 ? null : seconds,
    eecu_final: hasEnded(run) && tehsils.missing === 0 && tehsils.measured > 0 && tehsils.final === tehsils.measured,
    eecu_reason: reasonOf(tehsils),
    tehsils,
  };
  return { usage, secondsOf: (tehsilId) => measured.get(tehsilId)?.eecuSeconds ?? null };
}

function kindOf(part: RunPart, run: Run, use: TehsilSceneUse | undefined): Kind {
  if (isOpen(part, run) || (use?.missing ?? 0) > 0) return 'missing';
  if (isRemoved(part) || (use?.unknown ?? 0) > 0) return 'unknown';
  return use === undefined ? 'without' : 'measured';
}

/** True if the part has not ended. False for a tehsil that was not started before the run ended. */
function isOpen(part: RunPart, run: Run): boolean {
  const state = partState(part, run.id);
  if (state === 'success' || state === 'failed') return false;
  return !hasEnded(run) || state === 'queued' || state === 'running';
}

/** True if the part's run was removed, and its computing time with it. */
const isRemoved = ({ runId, run, isReused }: RunPart): boolean => runId !== null && run === null && !isReused;

function countTehsils(
  kinds: readonly (readonly [tehsilId: number, kind: Kind])[],
  measured: readonly TehsilSceneUse[],
  uses: readonly TehsilSceneUse[],
): Tehsils {
  const count = (wanted: Kind): number => kinds.filter(([, kind]) => kind === wanted).length;
  return {
    all: kinds.length,
    measured: count('measured'),
    final: measured.filter(({ isFinal }) => isFinal).length,
    missing: count('missing'),
    unknown: count('unknown'),
    without: count('without'),
    problem: uses.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

function reasonOf({ measured, missing, unknown, all, problem }: Tehsils): string | null {
  const sentences = [
    ...(missing === 0
      ? []
      : [`The computing time of ${measured} of ${all} tehsils is known; that of ${missing} is not known yet.`]),
    ...(unknown === 0
      ? []
      : [
          `The computing time of ${unknown} of ${all} tehsils stays unknown: no further read follows, or the run was removed.`,
        ]),
    ...(problem === null ? [] : [problem]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
