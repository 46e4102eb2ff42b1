import { DomainError } from '@headwater/core';
import { dropOldest, storableText } from '@headwater/core/values';
import type { Workflow, WorkflowFailure, WorkflowRun } from '@headwater/core/runs';
import { type DagRun, isOrchestratorError, type RunHandle } from '@headwater/orchestrator-client';
import { domainError } from './failures.ts';
import type { BackendDeps } from './settings.ts';

type Conf = Readonly<Record<string, unknown>>;
type WorkflowDeps = Pick<BackendDeps, 'client' | 'dagId' | 'serviceApiBase'> & {
  readonly runs: Pick<BackendDeps['runs'], 'get'>;
  readonly settings: Pick<BackendDeps['settings'], 'answerMs'>;
};

const MOST_FAILURES = 50;

/** Creates the workflow for direct runs, which the service does not store. */
export function workflowOf(deps: WorkflowDeps): Workflow {
  const { client, dagId, serviceApiBase, settings } = deps;
  const failures = new Map<string, WorkflowFailure>();
  const asDomainErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw domainError(error);
    }
  };
  /** Throws after `answerMs`, even if retries remain, because the caller polls every few seconds. */
  const inTime = async <T>(caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(settings.answerMs);
    try {
      return await asDomainErrors(() => work(caller === undefined ? late : AbortSignal.any([caller, late])));
    } catch (error) {
      if (!late.aborted || caller?.aborted === true) throw error;
      const text = `The orchestrator: no response within ${settings.answerMs / 1000} s. Check that its web server is running; retry later.`;
      throw new DomainError('upstream_timeout', text, { cause: error });
    }
  };
  return {
    run: (conf, signal) =>
      asDomainErrors(async () => {
        const run = await client.trigger(dagId, withOwnAddress(conf, serviceApiBase), { signal });
        return { dagRunId: run.runId, state: await stateOf(run, signal) };
      }),
    status: (dagRunId, caller) =>
      inTime(caller, async (signal) => ({ dagRunId, state: await client.run(dagId, dagRunId).state({ signal }) })),
    failure: (dagRunId, caller) =>
      inTime(caller, async (signal) => {
        const run = await client.run(dagId, dagRunId).read({ signal });
        if (run.state !== 'failed' || (await isOfStoredRun(run, deps))) return undefined;
        // Failures are cached, so that repeated requests do not read logs again. The end time is part of the key,
        // because a run that is queued again can fail differently.
        const key = JSON.stringify([dagRunId, run.endDate]);
        const failure = failures.get(key) ?? (await failureOf(dagRunId, deps, signal));
        failures.set(key, failure);
        dropOldest(failures, MOST_FAILURES);
        return failure;
      }),
  };
}

/** Returns `queued` if the state cannot be read. An error would lose the id, and the caller would start another run. */
async function stateOf(run: RunHandle, signal: AbortSignal | undefined): Promise<WorkflowRun['state']> {
  try {
    return await run.state({ signal });
  } catch (error) {
    if (!isOrchestratorError(error)) throw error;
    return 'queued';
  }
}

/** True for the workflow of a run that this service stores. Only the owner of the run may see its failure. */
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

/**
 * Replaces a requested `api_base` by the address of this service, or removes it. Callers must not choose this address,
 * because workflows send the secret of the work service to it.
 */
function withOwnAddress(conf: Conf, serviceApiBase: string | undefined): Conf {
  if (!Object.hasOwn(conf, 'api_base')) return conf;
  const { api_base: _named, ...rest } = conf;
  return serviceApiBase === undefined ? rest : { ...rest, api_base: serviceApiBase };
}
