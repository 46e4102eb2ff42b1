import { z } from 'zod';
import type { NewRun, RunBackend } from '../ports/runs.ts';
import { newRunId } from './run-id.ts';
import type { AnyPipeline } from './types.ts';

/** Source of a new run; `params` is the result of the pipeline's `resolve`. */
export interface RunSource {
  readonly pipeline: AnyPipeline;
  readonly params: unknown;
  readonly ownerId: number | null;
  readonly now: Date;
  /** Default `local`. */
  readonly backend?: RunBackend;
  readonly requestId?: string | undefined;
}

/** Builds a run to store. */
export function newRun({ pipeline, params, ownerId, now, backend = 'local', requestId }: RunSource): NewRun {
  return {
    id: newRunId(now),
    pipeline: pipeline.name,
    params: storedParams(pipeline, params),
    // The owner is part of the fingerprint: joining another user's run would return an id that the caller may not see. The backend is part
    // of it too, since a run at an orchestrator is another run; local runs keep the names of earlier versions.
    fingerprint: `${backend === 'local' ? '' : `${backend}:`}${pipeline.name}:${ownerId}:${pipeline.fingerprint(params)}`,
    ownerId,
    backend,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const jsonObject = z.record(z.string(), z.unknown());

/** Parameters as a run's row stores them: a JSON object. Throws when the pipeline's schema does not survive the round trip. */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Parsed again now: a run that no worker could read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}
