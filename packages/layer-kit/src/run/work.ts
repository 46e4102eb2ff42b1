import type {
  ComputedPlace,
  OpenedLayer,
  PipelineContext,
  PipelinePorts,
  ScratchRaster,
  WorkContext,
} from '@headwater/core';
import type { RunFiles } from './run-files.ts';
import type { StepClock } from './step-clock.ts';

/** Input of a pipeline's `run`: one attempt of a run. */
export interface Work<P> {
  readonly params: P;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  /** Measures the run's timings. */
  readonly clock: StepClock;
  /** Version of the method, for Items. */
  readonly method: string;
  /** Registers scratch rasters, which are always released after the attempt. */
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

/** Input of the computation of a layer of a place. */
export interface LayerWork<P> extends Work<P> {
  readonly job: ComputedPlace;
  readonly files: RunFiles;
  /** The needed layers after they were opened, in the order of `needs`. */
  readonly sources: readonly OpenedLayer[];
}

/** Input for Items and their files. */
export type ItemWork = Pick<LayerWork<unknown>, 'job' | 'ports' | 'context' | 'method' | 'sources' | 'files'>;

/** Work context for a share of a step; default: the step `make`. */
export function share(
  { context }: Pick<Work<unknown>, 'context'>,
  [from, to]: readonly [number, number],
  step = 'make',
): WorkContext {
  return {
    signal: context.signal,
    progress: (done, note) => context.progress(step, from + done * (to - from), note),
  };
}
