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
    // The fingerprint contains the owner. A request joins an unfinished run with the same fingerprint, so without the owner
    // it could return the id of another user's run. The fingerprint also contains the backend, so that a run never joins a run of another backend.
    // Fingerprints of local runs have no prefix, as in earlier versions.
    fingerprint: `${backend === 'local' ? '' : `${backend}:`}${pipeline.name}:${ownerId}:${pipeline.fingerprint(params)}`,
    ownerId,
    backend,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const jsonObject = z.record(z.string(), z.unknown());

/**
 * Converts parameters to the JSON object that is stored with the run. Throws if the pipeline's schema does not accept this object.
 */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // The parameters are parsed before they are stored, because a worker must be able to read the parameters of every
  // stored run.
  pipeline.params.parse(stored);
  return stored;
}
