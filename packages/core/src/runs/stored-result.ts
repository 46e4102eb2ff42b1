import type { InputPorts } from '../pipelines/pipeline.ts';
import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import type { SceneEngines } from '../ports/scene-engines.ts';
import type { Timers } from '../timing/timers.ts';
import { withInputPorts } from './account-scenes.ts';
import type { AnyPipeline } from './types.ts';

/** Dependencies of the search for a stored result. */
export interface ResultDeps {
  readonly runs: Pick<RunStore, 'resultOf'>;
  readonly inputPorts: InputPorts | undefined;
  /** Scene engines of platforms; default: all runs read the scenes of the service's own sources. */
  readonly sceneEngines?: SceneEngines | undefined;
  readonly timers: Timers;
}

/**
 * Time limit of `withinLimit`, ms. It is short, because the caller waits. After this time, `storedResult` reuses no
 * result.
 */
const INPUTS_TIMEOUT_MS = 10_000;

/** Returns the run of the current result if its inputs equal the present inputs; otherwise undefined. */
export async function storedResult(
  deps: ResultDeps,
  pipeline: AnyPipeline,
  { params, run }: { readonly params: unknown; readonly run: Pick<NewRun, 'fingerprint'> },
): Promise<Run | undefined> {
  const { inputPorts, sceneEngines, timers } = deps;
  if (pipeline.inputs === undefined || inputPorts === undefined) return undefined;
  const result = await deps.runs.resultOf(run.fingerprint);
  if (result === undefined) return undefined;
  const now = await withinLimit(timers, (signal) =>
    withInputPorts(sceneEngines, { params, ports: inputPorts }, async (ports) =>
      pipeline.inputs?.(params, ports, signal),
    ),
  );
  return now !== undefined && now === result.inputs ? result : undefined;
}

/** Returns the result of `read`; undefined if `read` fails or takes too long. */
export async function withinLimit<T>(
  timers: Timers,
  read: (signal: AbortSignal) => Promise<T> | undefined,
): Promise<T | undefined> {
  const [timedOut, done] = [new AbortController(), new AbortController()];
  const limit = timers.sleep(INPUTS_TIMEOUT_MS, done.signal).then(() => {
    timedOut.abort();
    return undefined;
  });
  try {
    return await Promise.race([read(timedOut.signal), limit]);
  } catch {
    return undefined;
  } finally {
    done.abort();
  }
}
