import {
  type ComputedPlace,
  type LayerNeed,
  loadPlace,
  type Need,
  type OpenedLayer,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  type PublishedReads,
  versionsOfNeeds,
} from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import type { RunOutput } from '../layers/layer-output.ts';
import { openFiles, type LayerWork, type Work } from '../run/work.ts';
import { definePipeline, type PipelineSpec, type Result } from './define-pipeline.ts';
import { checkBoundary, type IsGridOf, isOutputGrid } from './place-grid.ts';

/** Digest (64 hex digits) of `texts`, the polygons of the place and the uids of its micro-watersheds. */
const inputsOfPlace = (
  { clip, mws }: Pick<ComputedPlace, 'clip' | 'mws'>,
  ...texts: readonly string[]
): Promise<string> => sha256(JSON.stringify([...texts, clip, mws.map(({ uid }) => uid)]));

/** Ports and context that are passed to `otherInputs`. */
export interface InputTools {
  readonly ports: Pick<PipelinePorts, 'earthObservation' | 'places' | 'remedies' | 'elevation'>;
  readonly context: Pick<PipelineContext, 'signal' | 'log' | 'progress'>;
}

/** Definition of a layer of a place, computed from published layers, elevations or only the place. */
export interface LayerSpec<R, P extends { readonly tehsilId: number }>
  extends
    Omit<PipelineSpec<R, P>, 'needs' | 'inputs' | 'regions' | 'steps' | 'run'>,
    Partial<Pick<PipelineSpec<R, P>, 'steps'>> {
  /** Layers, tables and elevations that must exist before a run starts. Default: none. */
  readonly needs?: (job: ComputedPlace, params: P) => readonly Need[];
  /** Returns the check of the grid of a needed raster. Default: `isOutputGrid` (lattice of land cover). */
  readonly gridOf?: (need: LayerNeed) => IsGridOf;
  /** Returns a text of all inputs except `needs` and the boundary. Equal inputs must have equal texts. */
  readonly otherInputs?: (job: ComputedPlace, params: P, tools: InputTools) => Promise<string>;
  /**
   * Computes the layer. If `steps` is given, `run` must run these steps; otherwise `run` is called in the step `make`,
   * after `open`.
   */
  readonly run: (work: LayerWork<P>) => Promise<RunOutput>;
}

const STEPS = [
  { name: 'open', weight: 1 },
  { name: 'make', weight: 19 },
];

/** Builds the pipeline of a layer. A run opens the needed layers, computes, and publishes all in one transaction. */
export function layerPipeline<R, P extends { readonly tehsilId: number }>(layer: LayerSpec<R, P>): Pipeline<R, P> {
  const { needs = () => [], gridOf: _, otherInputs: __, ...spec } = layer;
  return definePipeline<R, P>({
    ...spec,
    needs: async (params, ports) => needs(await loadPlace(params.tehsilId, ports), params),
    inputs: async (params, ports, signal) => {
      const job = await loadPlace(params.tehsilId, ports);
      const context = { signal, log: () => {}, progress: () => {} };
      return inputsOf(layer, { job, params, needs: needs(job, params) }, { ports, context });
    },
    steps: layer.steps ?? STEPS,
    run: (work) => run(layer, work),
  });
}

interface LayerInputs<P> {
  readonly job: ComputedPlace;
  readonly params: P;
  readonly needs: readonly Need[];
}

async function inputsOf<R, P extends { readonly tehsilId: number }>(
  { otherInputs }: LayerSpec<R, P>,
  { job, params, needs }: LayerInputs<P>,
  tools: InputTools & { readonly ports: { readonly published: PublishedReads } },
): Promise<string> {
  const others = otherInputs === undefined ? [] : [await otherInputs(job, params, tools)];
  const versions = await versionsOfNeeds(needs, { ...tools.ports, signal: tools.context.signal });
  return inputsOfPlace(job, versions, ...others);
}

async function run<R, P extends { readonly tehsilId: number }>(layer: LayerSpec<R, P>, work: Work<P>): Promise<Result> {
  const { clock, context, params, ports } = work;
  const open = async () => {
    const job = await loadPlace(params.tehsilId, ports);
    const needs = layer.needs?.(job, params) ?? [];
    // Inputs are determined before the layers are opened. Otherwise a version that is published in between would
    // count as the input, although the older version was read. Log lines are dropped here, because the computation logs
    // them too.
    const inputs = await inputsOf(layer, { job, params, needs }, { ports, context: { ...context, log: () => {} } });
    return { inputs, job, sources: await openSources(layer, { job, needs }, ports) };
  };
  const { inputs, ...opened } = await (layer.steps === undefined ? clock.step('open', open) : open());
  const make = async () => layer.run({ ...work, ...opened, files });
  const files = await openFiles(ports, context.run);
  return { inputs, ...(await (layer.steps === undefined ? clock.step('make', make) : make())) };
}

async function openSources<R, P extends { readonly tehsilId: number }>(
  { gridOf = () => isOutputGrid }: LayerSpec<R, P>,
  { job, needs }: Pick<LayerInputs<P>, 'job' | 'needs'>,
  { published, pixels }: PipelinePorts,
): Promise<readonly OpenedLayer[]> {
  const sources: OpenedLayer[] = [];
  for (const need of needs) {
    if (need.kind !== 'layer') continue;
    const source = await published.layerFile(need.workspace, need.layerName);
    if (source.layer.layerType === 'raster') await checkBoundary(job, { need, source, isGridOf: gridOf(need) }, pixels);
    sources.push(source);
  }
  return sources;
}
