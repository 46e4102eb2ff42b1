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

/** Input of a pipeline's `run` for one attempt. */
export interface Work<P> {
  readonly params: P;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  /** Measures the run's timings. */
  readonly clock: StepClock;
  /** Version of the method, for Items. */
  readonly method: string;
  /** Registers scratch rasters that are released after the attempt. */
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

/** Input of the computation of a layer. */
export interface LayerWork<P> extends Work<P> {
  readonly job: ComputedPlace;
  readonly files: RunFiles;
  /** Opened layers, in the order of `needs`. */
  readonly sources: readonly OpenedLayer[];
}

/** Input of the functions that make Items and their files. */
export type ItemWork = Pick<LayerWork<unknown>, 'job' | 'ports' | 'context' | 'method' | 'sources' | 'files'>;

/** Work context for a part of a step, from share `from` to share `to` (0-1). `step` defaults to `make`. */
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

/** Folder of one attempt, with its files by name. */
export interface RunFiles {
  /** Absolute path of a file in the folder. */
  readonly path: (name: string) => string;
  readonly write: (name: string, body: string | Uint8Array) => Promise<StoredFile>;
  /** Size and checksum of a file that the pixel engine wrote. */
  readonly stat: (name: string) => Promise<StoredFile>;
  /** Removes a file that must not be published. */
  readonly remove: (name: string) => Promise<void>;
}

/** Opens the folder of this attempt. Call only once, because each call empties the folder. */
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

/** Runs steps in sequence and measures their durations. */
export interface StepClock {
  /** Runs a step and reports its progress. Throws before the step if the signal of the run has aborted. */
  step<T>(name: string, work: (context: WorkContext) => Promise<T>): Promise<T>;
  /** Duration of each step, seconds. */
  seconds(): Readonly<Record<string, number>>;
}

/** Creates a step clock. */
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
