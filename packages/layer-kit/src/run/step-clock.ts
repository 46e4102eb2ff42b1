import type { PipelineContext, PipelinePorts, WorkContext } from '@headwater/core';

/** Runs steps in sequence and measures the duration of each. */
export interface StepClock {
  /**
   * Throws before the step if the run was cancelled; reports its start and its end as progress. `work` gets the context of pixel engine
   * calls: the run's signal, and a function that reports the step's share.
   */
  step<T>(name: string, work: (context: WorkContext) => Promise<T>): Promise<T>;
  /** Seconds per step. */
  seconds(): Readonly<Record<string, number>>;
}

/** Builds a step clock from the ports' time and the run's progress. */
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
