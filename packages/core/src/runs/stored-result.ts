import type { InputPorts } from '../pipelines/pipeline.ts';
import type { NewRun, Run, RunStore } from '../ports/runs.ts';
import type { Timers } from '../timing/timers.ts';
import type { AnyPipeline } from './types.ts';

/** What the comparison stands on. */
export interface ResultDeps {
  readonly runs: Pick<RunStore, 'resultOf'>;
  readonly inputPorts: InputPorts | undefined;
  readonly timers: Timers;
}

/** Longest look at what a run would read now, ms: whoever asked is waiting, and computing anew is always right. */
const LOOK_MS = 10_000;

/** The run whose stored result answers this one: all of it is shown, and its inputs are what they would be now. */
export async function storedResult(
  deps: ResultDeps,
  pipeline: AnyPipeline,
  { params, run }: { readonly params: unknown; readonly run: Pick<NewRun, 'fingerprint'> },
): Promise<Run | undefined> {
  const { inputPorts, timers } = deps;
  if (pipeline.inputs === undefined || inputPorts === undefined) return undefined;
  const result = await deps.runs.resultOf(run.fingerprint);
  if (result === undefined) return undefined;
  const now = await inputsNow(timers, (signal) => pipeline.inputs?.(params, inputPorts, signal));
  return now !== undefined && now === result.inputs ? result : undefined;
}

/** Undefined where the inputs cannot be told: then the run is computed, and says itself what is wrong with them. */
async function inputsNow(
  timers: Timers,
  look: (signal: AbortSignal) => Promise<string> | undefined,
): Promise<string | undefined> {
  const [enough, done] = [new AbortController(), new AbortController()];
  const limit = timers.sleep(LOOK_MS, done.signal).then(() => {
    enough.abort();
    return undefined;
  });
  try {
    return await Promise.race([look(enough.signal), limit]);
  } catch {
    return undefined;
  } finally {
    done.abort();
  }
}
