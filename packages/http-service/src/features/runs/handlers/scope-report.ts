import type { Run } from '@headwater/core';
import { isScopeRun, partState, scopeParams, secondsOfPart, summarize } from '@headwater/core/runs';
import type { UserPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { ScopeReportView } from '../schemas/scope-report.ts';
import { areaUsage } from './area-usage.ts';

/** Builds the report of a run over a district or a state; undefined for any other run. */
export async function scopeReport(
  run: Run,
  caller: UserPrincipal,
  { runs, stores, baseUrl }: Ports<'baseUrl' | 'runs' | 'stores'>,
): Promise<ScopeReportView | undefined> {
  if (!isScopeRun(run)) return undefined;
  const { scope, computes, state, district = null } = scopeParams.parse(run.params);
  const parts = await runs.parts(caller, run.id);
  const found = await stores.places.namesOf(parts.map(({ tehsilId }) => tehsilId));
  const names = new Map(found.map((each) => [each.tehsilId, each] as const));
  const { counts, tehsils, reused, progress, isPaused, remaining } = summarize(parts, run);
  const usage = await areaUsage(run, { stores }, parts);
  const isOpen = run.state === 'queued' || run.state === 'running';
  return {
    run_id: run.id,
    scope,
    pipeline: computes,
    state,
    district,
    status: run.state,
    paused: isOpen && isPaused,
    progress,
    tehsils,
    counts,
    reused,
    remaining: isOpen && remaining !== undefined ? remaining : null,
    scene_usage: usage?.usage ?? null,
    results: parts.map((part) => {
      const own = partState(part, run.id);
      const error = part.failure ?? part.run?.error ?? null;
      return {
        district: names.get(part.tehsilId)?.district ?? '',
        block: names.get(part.tehsilId)?.tehsil ?? String(part.tehsilId),
        state: own,
        run_id: part.runId,
        reused: part.isReused,
        progress: own === 'success' ? 1 : (part.run?.progress ?? 0),
        seconds: secondsOfPart(part) ?? null,
        eecu_seconds: usage?.secondsOf(part.tehsilId) ?? null,
        error: own === 'failed' && error !== null ? { code: error.code, message: error.message } : null,
        run: part.runId === null ? null : baseUrl + fill(paths.run, { id: part.runId }),
      };
    }),
  };
}
