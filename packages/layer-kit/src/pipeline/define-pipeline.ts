import type {
  Deliverable,
  Pipeline,
  PipelineContext,
  PipelineMessages,
  PipelinePorts,
  ScratchRaster,
} from '@headwater/core';
import { z } from 'zod';
import type { RunOutput } from '../layers/layer-output.ts';
import { createStepClock, type Work } from '../run/work.ts';

type Usual = 'route' | 'aliases' | 'params' | 'fingerprint';

/** Output of a run. A result without `inputs` is not reused. */
export type Result = RunOutput & Partial<Pick<Deliverable, 'inputs' | 'timings'>>;

/** Definition of a pipeline with requests `R` and parameters `P`. */
export interface PipelineSpec<R, P>
  extends Omit<Pipeline<R, P>, Usual | 'messages' | 'execute'>, Partial<Pick<Pipeline<R, P>, Usual>> {
  /** Version of the method. A new version prevents the reuse of stored results. */
  readonly method: string;
  readonly messages?: Partial<PipelineMessages>;
  readonly run: (work: Work<P>) => Promise<Result>;
}

/**
 * Completes a pipeline. Defaults: the route is its name, and requests with equal parameters share a run. Scratch
 * rasters that `run` passes to `keep` are always released.
 */
export function definePipeline<R, P>({ method, messages, run, ...spec }: PipelineSpec<R, P>): Pipeline<R, P> {
  const { name, route = name } = spec;
  return {
    aliases: [],
    params: z.custom<P>(),
    fingerprint: (params) => [route, method, JSON.stringify(params)].join(':'),
    ...spec,
    route,
    messages: { initiated: `${name} task initiated`, finished: `${name} finished`, ...messages },
    execute: (params, ports, context) => execute(run, { params, ports, context, method }),
  };
}

interface Attempt<P> extends Pick<Work<P>, 'params' | 'method'> {
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
}

async function execute<P>(run: PipelineSpec<unknown, P>['run'], attempt: Attempt<P>): Promise<Deliverable> {
  const { ports, context } = attempt;
  const clock = createStepClock(ports, context);
  const scratch: ScratchRaster[] = [];
  try {
    const keep = (rasters: readonly ScratchRaster[]): void => void scratch.push(...rasters);
    const { isWhole = true, inputs, timings, ...made } = await run({ ...attempt, clock, keep });
    return {
      ...made,
      timings: { ...clock.seconds(), ...timings },
      ...(isWhole && inputs !== undefined ? { inputs } : {}),
    };
  } finally {
    if (scratch.length > 0) await ports.pixels.release(scratch);
  }
}
