import { z } from 'zod';
import type { NewRun, RunBackend } from '../ports/runs.ts';
import { newRunId } from './run-id.ts';
import type { AnyPipeline } from './types.ts';

/** Input of `newRun`; `params` is the result of the pipeline's `resolve`. */
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
    // of it too, so that a run never joins one of another backend. Fingerprints of local runs have no prefix, as in earlier versions.
    fingerprint: `${backend === 'local' ? '' : `${backend}:`}${pipeline.name}:${ownerId}:${pipeline.fingerprint(params)}`,
    ownerId,
    backend,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const jsonObject = z.record(z.string(), z.unknown());

/**
 * Parameters as the row of a run stores them: a JSON object. Throws if the pipeline's schema does not accept them after this conversion.
 */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Parsed now, because a run that no worker can read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}
