import { z } from 'zod';
import type { AnyPipeline } from './types.ts';

const jsonObject = z.record(z.string(), z.unknown());

/** Parameters as a run's row keeps them: a JSON object. Throws when the pipeline's schema does not survive the round trip. */
export function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Read back now: a run that no worker could read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}
