import type { Run } from '@headwater/core';
import type { RunPart, TehsilSceneUse } from '@headwater/core/ports';
import { hasEnded, partState, scopeParams } from '@headwater/core/runs';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { SceneUsage } from '../schemas/scene-usage.ts';

type Use = Pick<TehsilSceneUse, 'isWhole' | 'requests' | 'eecuSeconds' | 'problem' | 'dueAt'>;
type Tehsils = NonNullable<z.infer<typeof SceneUsage>['tehsils']>;

/** True for a use without a request: there is no computing time. */
export const isUnused = ({ isWhole, requests }: Use): boolean => isWhole && requests === 0;

/** True if the computing time is known, and no read follows that could find more. */
export const isFinal = ({ eecuSeconds, problem, dueAt }: Use): boolean =>
  eecuSeconds !== null && problem === null && dueAt === null;

/** Scenes that the tehsils of a run read from a platform. */
export interface AreaUsage {
  readonly usage: z.infer<typeof SceneUsage>;
  /** Computing time of the tehsil so far, EECU-seconds; null if it is unknown. */
  readonly secondsOf: (tehsilId: number) => number | null;
}

/**
 * Sums the scenes that a run over a district or a state read from a platform: those of the runs that it started, also of earlier attempts
 * of a tehsil and of the layers that were computed first. Stored results and runs of other requests are not included, because these
 * requests had the computing time. Undefined if no tehsil has read scenes there.
 */
export async function areaUsage(
  run: Run,
  { stores }: Ports<'stores'>,
  partsOfRun?: readonly RunPart[],
): Promise<AreaUsage | undefined> {
  const { eoAccountId } = scopeParams.parse(run.params).request;
  if (typeof eoAccountId !== 'number') return undefined;
  const uses = (await stores.sceneUses.ofRequestedRuns(run.id)).filter((use) => !isUnused(use));
  if (uses.length === 0) return undefined;
  const byTehsil = Map.groupBy(uses, ({ tehsilId }) => tehsilId);
  const tehsils = countTehsils(run, partsOfRun ?? (await stores.runs.parts(run.id)), byTehsil);
  const sum = (name: 'requests' | 'pixels' | 'bytes'): number => uses.reduce((total, use) => total + use[name], 0);
  const usage = {
    account_id: eoAccountId,
    requests: sum('requests'),
    pixels: sum('pixels'),
    bytes: sum('bytes'),
    workload_tag: null,
    eecu_seconds: secondsOf(uses),
    eecu_final: hasEnded(run) && tehsils.missing === 0 && uses.every(isFinal),
    eecu_reason: reasonOf(tehsils, uses),
    tehsils,
  };
  return { usage, secondsOf: (tehsilId) => secondsOf(byTehsil.get(tehsilId) ?? []) };
}

/** Sum of the known times; null if none is known. */
function secondsOf(uses: readonly Use[]): number | null {
  const known = uses.flatMap(({ eecuSeconds }) => eecuSeconds ?? []);
  return known.length === 0 ? null : known.reduce((total, seconds) => total + seconds, 0);
}

function countTehsils(
  run: Run,
  parts: readonly RunPart[],
  byTehsil: ReadonlyMap<number | null, readonly TehsilSceneUse[]>,
): Tehsils {
  const counts = { all: parts.length, measured: 0, final: 0, missing: 0, without: 0 };
  for (const part of parts) {
    const uses = byTehsil.get(part.tehsilId) ?? [];
    if (isOpen(part, run) || uses.some(({ eecuSeconds }) => eecuSeconds === null)) counts.missing += 1;
    else if (uses.length === 0) counts.without += 1;
    else counts.measured += 1;
    if (uses.length > 0 && !isOpen(part, run) && uses.every(isFinal)) counts.final += 1;
  }
  return counts;
}

/** True if further scenes may be read for the tehsil. A tehsil that an ended run did not start is never started. */
function isOpen(part: RunPart, run: Run): boolean {
  const state = partState(part, run.id);
  if (state === 'success' || state === 'failed') return false;
  return !hasEnded(run) || state === 'queued' || state === 'running';
}

/** Sentence about the tehsils without a time, and the reason of one of them; null if no time is missing. */
function reasonOf({ measured, missing, all }: Tehsils, uses: readonly Use[]): string | null {
  const problem = uses.find((use) => use.problem !== null)?.problem;
  const share = `${measured} of ${all} tehsils have a computing time; that of ${missing} is not known yet.`;
  const sentences = [
    ...(missing === 0 ? [] : [share]),
    ...(problem === undefined || problem === null ? [] : [problem]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
