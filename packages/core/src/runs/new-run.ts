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
  /** Backend of the run; default `local`. */
  readonly backend?: RunBackend;
  readonly requestId?: string | undefined;
}

/** Builds a run to store. */
export function newRun({ pipeline, params, ownerId, now, backend = 'local', requestId }: RunSource): NewRun {
  return {
    id: newRunId(now),
    pipeline: pipeline.name,
    params: storedParams(pipeline, params),
    // A request joins an unfinished run with an equal fingerprint, so owner and backend are included. Local runs have
    // no prefix, as in earlier versions.
    fingerprint: `${backend === 'local' ? '' : `${backend}:`}${pipeline.name}:${ownerId}:${pipeline.fingerprint(params)}`,
    ownerId,
    backend,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

const jsonObject = z.record(z.string(), z.unknown());

function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Throws for parameters that a worker could not read.
  pipeline.params.parse(stored);
  return stored;
}
