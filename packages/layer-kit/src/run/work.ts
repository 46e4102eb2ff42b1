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

/** One attempt at a run, as the function that computes it gets it. */
export interface Work<P> {
  readonly params: P;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  /** Its seconds are the run's timings. */
  readonly clock: StepClock;
  /** Version of the method, for Items. */
  readonly method: string;
  /** Remembers scratch rasters, to be released whatever happens. */
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

/** The same of a layer of a place. */
export interface LayerWork<P> extends Work<P> {
  readonly job: ComputedPlace;
  readonly files: RunFiles;
  /** The needed layers, opened, in the order of `needs`. */
  readonly sources: readonly OpenedLayer[];
}

/** Work as far as Items and their files need it. */
export type ItemWork = Pick<LayerWork<unknown>, 'job' | 'ports' | 'context' | 'method' | 'sources' | 'files'>;

/** Work context of one share of a step: `make` if it is left out. */
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
