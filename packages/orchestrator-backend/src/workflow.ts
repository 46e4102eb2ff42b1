import { DomainError } from '@headwater/core';
import { storableText } from '@headwater/core/values';
import type { Workflow, WorkflowFailure, WorkflowRun } from '@headwater/core/runs';
import { type DagRun, isOrchestratorError, type RunHandle } from '@headwater/orchestrator-client';
import { domainError } from './failures.ts';
import type { BackendDeps } from './settings.ts';

type Conf = Readonly<Record<string, unknown>>;
type WorkflowDeps = Pick<BackendDeps, 'client' | 'dagId' | 'serviceApiBase'> & {
  readonly runs: Pick<BackendDeps['runs'], 'get'>;
  readonly settings: Pick<BackendDeps['settings'], 'answerMs'>;
};

/** Failures that are kept. */
const MOST_FAILURES = 50;

/** The workflow as callers may run it by themselves: nothing of such a run is stored here. */
export function workflowOf(deps: WorkflowDeps): Workflow {
  const { client, dagId, serviceApiBase, settings } = deps;
  const failures = new Map<string, WorkflowFailure>();
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw domainError(error);
    }
  };
  /** Whoever looks asks again some seconds later: he is told that nothing answers before all tries have passed. */
  const inTime = async <T>(given: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(settings.answerMs);
    try {
      return await told(() => work(given === undefined ? late : AbortSignal.any([given, late])));
    } catch (error) {
      if (!late.aborted || given?.aborted === true) throw error;
      const text = `The orchestrator: no answer within ${settings.answerMs / 1000} s. See whether its web server runs; ask again.`;
      throw new DomainError('upstream_timeout', text, { cause: error });
    }
  };
  return {
    run: (conf, signal) =>
      told(async () => {
        const run = await client.trigger(dagId, callingHere(conf, serviceApiBase), { signal });
        return { dagRunId: run.runId, state: await stateOf(run, signal) };
      }),
    status: (dagRunId, given) =>
      inTime(given, async (signal) => ({ dagRunId, state: await client.run(dagId, dagRunId).state({ signal }) })),
    failure: (dagRunId, given) =>
      inTime(given, async (signal) => {
        const run = await client.run(dagId, dagRunId).read({ signal });
        if (run.state !== 'failed' || (await isOfStoredRun(run, deps))) return undefined;
        // Whoever asks again costs no further look at tasks and logs; a run that is started again there ends at another time.
        const key = JSON.stringify([dagRunId, run.endDate]);
        const failure = failures.get(key) ?? (await failureOf(dagRunId, deps, signal));
        failures.set(key, failure);
        for (const [oldest] of failures) if (failures.size > MOST_FAILURES) failures.delete(oldest);
        return failure;
      }),
  };
}

/** A run that is there is told with its id, whatever becomes of the look at it: without the id its caller could only start another. */
async function stateOf(run: RunHandle, signal: AbortSignal | undefined): Promise<WorkflowRun['state']> {
  try {
    return await run.state({ signal });
  } catch (error) {
    if (!isOrchestratorError(error)) throw error;
    return 'queued';
  }
}

/** Strangers may ask for any run: why a run of somebody's own failed is told to him. */
async function isOfStoredRun({ conf }: DagRun, { runs }: WorkflowDeps): Promise<boolean> {
  const jobId = conf['job_id'];
  return typeof jobId === 'string' && (await runs.get(jobId)) !== undefined;
}

async function failureOf(
  dagRunId: string,
  { client, dagId }: WorkflowDeps,
  signal: AbortSignal | undefined,
): Promise<WorkflowFailure> {
  const { task, reason, excerpt } = await client.run(dagId, dagRunId).logs({ signal });
  return { task: task?.taskId ?? null, reason: storableText(reason), excerpt: storableText(excerpt) };
}

/** Workflows send the secret of the work service where `api_base` says: a caller does not choose that. */
function callingHere(conf: Conf, serviceApiBase: string | undefined): Conf {
  if (!Object.hasOwn(conf, 'api_base')) return conf;
  const { api_base: _named, ...rest } = conf;
  return serviceApiBase === undefined ? rest : { ...rest, api_base: serviceApiBase };
}
