import {
  type Deliverable,
  type LayerNeed,
  type OpenedLayer,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  type PublishedSeries,
  type PublishedTable,
  versionsOfNeeds,
  loadPlace,
  type ComputedPlace,
} from '@headwater/core';
import {
  checkBoundary,
  createStepClock,
  isOutputGrid,
  type MadeLayer,
  openFiles,
  type RunFiles,
  inputsOfPlace,
} from '@headwater/layer-kit';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import type { PlaceParams } from '../../request/request.ts';

/** What a derived layer publishes. */
export interface Made {
  readonly layers: readonly MadeLayer[];
  readonly tables?: readonly PublishedTable[];
  readonly series?: readonly PublishedSeries[];
  /** False where inputs were missing: the result then answers no later request. Left out: true. */
  readonly isWhole?: boolean;
}

/** What making a derived layer may use. */
export interface Work<P> {
  readonly job: ComputedPlace;
  readonly params: P;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly files: RunFiles;
  /** Version of the method, for Items. */
  readonly method: string;
  /** The needed layers, opened, in the order of `needs`. */
  readonly sources: readonly OpenedLayer[];
  /** Remembers scratch rasters, to be released whatever happens. */
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

/** What finding out about other inputs may use. */
export interface InputTools {
  readonly ports: Pick<PipelinePorts, 'earthObservation' | 'places' | 'remedies'>;
  readonly context: Pick<PipelineContext, 'signal' | 'log' | 'progress'>;
}

/** What makes one derived layer another than the next. */
export interface DerivedLayer<R, P extends PlaceParams> extends Pick<
  Pipeline<R, P>,
  'request' | 'params' | 'resolve' | 'summary' | 'dependsOn' | 'examples' | 'data'
> {
  /** Last segment of its route, and its name. */
  readonly route: string;
  readonly initiated: string;
  readonly keywords: readonly string[];
  /** Version of the method: another one makes stored results old. */
  readonly method: string;
  readonly needs: (job: ComputedPlace, params: P) => readonly LayerNeed[];
  /** What it reads beside its needs, as a text that is equal while that is the same; left out: nothing. */
  readonly otherInputs?: (job: ComputedPlace, params: P, tools: InputTools) => Promise<string>;
  readonly make: (work: Work<P>) => Promise<Made>;
}

/** Pipeline of a layer that follows from published ones: its needs are opened, the layer is made, all of it is published at once. */
export function derivedPipeline<R, P extends PlaceParams>(layer: DerivedLayer<R, P>): Pipeline<R, P> {
  const { route, method, summary, request, params, resolve, dependsOn = [], examples, keywords, data = [] } = layer;
  return {
    name: route,
    route,
    aliases: [],
    summary,
    examples,
    messages: { initiated: layer.initiated, finished: `${route} finished` },
    keywords,
    data,
    request,
    params,
    resolve,
    dependsOn,
    needs: async (asked, ports) => layer.needs(await loadPlace(asked.tehsilId, ports), asked),
    inputs: async (asked, ports, signal) => {
      const job = await loadPlace(asked.tehsilId, ports);
      const quiet = { signal, log: () => {}, progress: () => {} };
      const others = (await layer.otherInputs?.(job, asked, { ports, context: quiet })) ?? '';
      return inputsOfPlace(job, await versionsOfNeeds(layer.needs(job, asked), ports), others);
    },
    steps: [
      { name: 'open', weight: 1 },
      { name: 'make', weight: 19 },
    ],
    fingerprint: (asked) => [route, method, JSON.stringify(asked)].join(':'),
    execute: (asked, ports, context) => execute(layer, asked, { ports, context }),
  };
}

async function execute<R, P extends PlaceParams>(
  layer: DerivedLayer<R, P>,
  asked: P,
  { ports, context }: Pick<Work<P>, 'ports' | 'context'>,
): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const scratch: ScratchRaster[] = [];
  try {
    const { inputs, ...opened } = await clock.step('open', async () => {
      const job = await loadPlace(asked.tehsilId, ports);
      const needs = layer.needs(job, asked);
      // Before the layers are opened: a version that comes meanwhile differs from what is told. Making the layer tells the log what is read.
      const quiet = { ...context, log: () => {} };
      const others = (await layer.otherInputs?.(job, asked, { ports, context: quiet })) ?? '';
      const told = await inputsOfPlace(job, await versionsOfNeeds(needs, ports), others);
      const sources = [];
      for (const need of needs) {
        const source = await ports.published.layerFile(need.workspace, need.layerName);
        if (source.layer.layerType === 'raster')
          await checkBoundary(job, { need, source, isGridOf: isOutputGrid }, ports.pixels);
        sources.push(source);
      }
      return { job, sources, inputs: told };
    });
    const files = await openFiles(ports, context.run);
    const keep = (rasters: readonly ScratchRaster[]): void => void scratch.push(...rasters);
    const work: Work<P> = { ...opened, params: asked, ports, context, files, method: layer.method, keep };
    const made = await clock.step('make', () => layer.make(work));
    const answers = made.isWhole === false ? {} : { inputs };
    return {
      items: made.layers.map(({ item }) => item),
      layers: made.layers.map((each) => each.layer),
      tables: made.tables ?? [],
      series: made.series ?? [],
      timings: clock.seconds(),
      ...answers,
    };
  } finally {
    await ports.pixels.release(scratch);
  }
}
