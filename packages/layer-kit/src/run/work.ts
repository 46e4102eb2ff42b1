import type {
  ComputedPlace,
  OpenedLayer,
  PipelineContext,
  PipelinePorts,
  ScratchRaster,
  WorkContext,
  Run,
  StoredFile,
} from '@headwater/core';

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

/** Input of the functions that make Items and the files of Items. */
export type ItemWork = Pick<LayerWork<unknown>, 'job' | 'ports' | 'context' | 'method' | 'sources' | 'files'>;

/**
 * Work context for a part of a step, from the share `from` to the share `to` (0-1). The default of `step` is `make`.
 */
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

/** The folder of one attempt of a run, and its files by name. */
export interface RunFiles {
  /** Absolute path of a file in the folder. */
  readonly path: (name: string) => string;
  readonly write: (name: string, body: string | Uint8Array) => Promise<StoredFile>;
  /** Size and checksum of a file that the pixel engine wrote. */
  readonly stat: (name: string) => Promise<StoredFile>;
  /** Removes a temporary file. A file that is not removed is published with the run. */
  readonly remove: (name: string) => Promise<void>;
}

/** Opens the folder of this attempt. Call this function only once, because each call empties the folder. */
export async function openFiles(
  { assets }: Pick<PipelinePorts, 'assets'>,
  { id, token }: Pick<Run, 'id' | 'token'>,
): Promise<RunFiles> {
  const folder = await assets.begin(id, token);
  return {
    path: (name) => `${folder}/${name}`,
    write: (name, body) => assets.write(id, token, name, body),
    stat: (name) => assets.stat(id, token, name),
    remove: (name) => assets.remove(id, token, name),
  };
}

/** Runs steps in sequence and measures the duration of each. */
export interface StepClock {
  /**
   * Runs a step and reports its start and end as progress. Throws before the step if the run was cancelled. `work` gets
   * the context for calls of the pixel engine: the run's signal, and a function that reports the completed share of the
   * step.
   */
  step<T>(name: string, work: (context: WorkContext) => Promise<T>): Promise<T>;
  /** Duration of each step, seconds. */
  seconds(): Readonly<Record<string, number>>;
}

/** Creates a step clock that uses the clock of `ports` and reports the progress of the run. */
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
