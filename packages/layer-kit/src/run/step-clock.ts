import type { PipelineContext, PipelinePorts, WorkContext } from '@headwater/core';

/** Runs steps in sequence and measures the duration of each. */
export interface StepClock {
  /**
   * Runs a step and reports its start and end as progress. If the run was cancelled, throws before the step. `work` gets the context for calls of
   * the pixel engine: the run's signal, and a function that reports the completed share of the step.
   */
  step<T>(name: string, work: (context: WorkContext) => Promise<T>): Promise<T>;
  /** Duration of each step, seconds. */
  seconds(): Readonly<Record<string, number>>;
}

/** Creates a step clock with the time of the ports and the progress of the run. */
export function createStepClock(
  { now }: Pick<PipelinePorts, 'now'>,
  context: Pick<PipelineContext, 'signal' | 'progress'>,
): StepClock {
  const taken: Record<string, number> = {};
  return {
    async step(name, work) {
      context.signal.throwIfAborted();
      const start = now().getTime();
      context.progress(name, 0);
      const result = await work({ signal: context.signal, progress: (...share) => context.progress(name, ...share) });
      context.progress(name, 1);
      taken[name] = (now().getTime() - start) / 1000;
      return result;
    },
    seconds: () => ({ ...taken }),
  };
}
