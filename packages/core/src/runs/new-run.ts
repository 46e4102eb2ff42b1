import { z } from 'zod';
import type { NewRun, RunBackend } from '../ports/runs.ts';
import { newRunId } from './run-id.ts';
import type { AnyPipeline } from './types.ts';

/** What a run is made of; `params` are what the pipeline's `resolve` gave. */
export interface RunSource {
  readonly pipeline: AnyPipeline;
  readonly params: unknown;
  readonly ownerId: number | null;
  readonly now: Date;
  /** Default `local`. */
  readonly backend?: RunBackend;
  readonly requestId?: string | undefined;
}

/** A run to store. */
export function newRun({ pipeline, params, ownerId, now, backend = 'local', requestId }: RunSource): NewRun {
  return {
    id: newRunId(now),
    pipeline: pipeline.name,
    params: storedParams(pipeline, params),
    // The owner is part of it: joining somebody else's run would hand out an id that its asker may not see.
    // So is the backend: what computes elsewhere is another run. Local ones are named as they always were.
    fingerprint: `${backend === 'local' ? '' : `${backend}:`}${pipeline.name}:${ownerId}:${pipeline.fingerprint(params)}`,
    ownerId,
    backend,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const jsonObject = z.record(z.string(), z.unknown());

/** Parameters as a run's row keeps them: a JSON object. Throws when the pipeline's schema does not survive the round trip. */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Read back now: a run that no worker could read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}
