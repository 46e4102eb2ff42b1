import {
  type ComputedPlace,
  type Deliverable,
  loadPlace,
  type PipelineContext,
  type PipelinePorts,
  type PipelineStep,
  type ScratchRaster,
  versionsOfNeeds,
  type WorkContext,
} from '@headwater/core';
import { createStepClock, inputsOfPlace, openFiles, type RunFiles, type StepClock } from '@headwater/layer-kit';
import { grown, pixelMetres } from './dem-grid.ts';
import type { TerrainItem } from './item-members.ts';
import { type DemRead, readDem } from './read-dem.ts';
import { demNeeds, resolveTerrain, terrainBasics, type TerrainParams, type TerrainPipeline } from './request.ts';

/** What is published of a run. */
export type Published = Pick<Deliverable, 'items' | 'layers' | 'tables'>;

/** Land around a place that is read with it. */
export interface Surroundings {
  readonly metres: number;
  /** What Items say of it. Left out: nothing. */
  readonly note?: (read: {
    /** Whether there are elevations of all of that. */
    readonly isWhole: boolean;
    readonly pixelMetres: number;
  }) => string;
}

/** What landforms are compared with is up to 2010 m away. */
const LANDFORM_SURROUNDINGS: Surroundings = { metres: 2100 };

/** A run that has read its heights. */
export interface DemRun {
  readonly job: ComputedPlace;
  readonly dem: DemRead;
  readonly files: RunFiles;
  readonly ports: PipelinePorts;
  readonly runId: string;
  readonly clock: StepClock;
  /** What Items say of the land around the place, behind their description. */
  readonly note: string;
  readonly log: PipelineContext['log'];
  readonly work: (step: string) => WorkContext;
  /** Remembers a scratch raster, to be released whatever happens. */
  readonly keep: (raster: ScratchRaster) => void;
}

/** What makes one layer of a DEM another than the next. */
export interface DemRunSpec {
  /** Route and name of the pipeline. */
  readonly name: string;
  readonly summary: string;
  readonly initiated: string;
  readonly item: Pick<TerrainItem, 'title' | 'method'>;
  /** Left out: `resolveTerrain`, which takes places without micro-watersheds too. */
  readonly resolve?: TerrainPipeline['resolve'];
  /** Left out: as much as landforms need. */
  readonly surroundings?: Surroundings;
  /** Names of the sheets that it publishes; left out: none. */
  readonly data?: readonly string[];
  /** Steps behind `read_elevation`. */
  readonly steps: readonly PipelineStep[];
  readonly make: (run: DemRun) => Promise<Published>;
}

/** Pipeline of layers that follow from heights: these are read with the land around, the layers are made, all is published at once. */
export function demRunPipeline(spec: DemRunSpec): TerrainPipeline {
  return {
    ...terrainBasics(spec.name, spec.item.method),
    summary: spec.summary,
    data: spec.data ?? [],
    messages: { initiated: spec.initiated, finished: `${spec.name} finished` },
    resolve: spec.resolve ?? resolveTerrain,
    needs: demNeeds,
    inputs: async (params, ports, signal) => {
      const job = await loadPlace(params.tehsilId, ports);
      return inputsOf(params, job, { ports, spec, signal });
    },
    steps: [{ name: 'read_elevation', weight: 4 }, ...spec.steps],
    execute: (params, ports, context) => execute(params, { spec, ports, context }),
  };
}

interface Tools {
  readonly spec: DemRunSpec;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
}

const aroundOf = ({ surroundings = LANDFORM_SURROUNDINGS }: DemRunSpec): Surroundings => surroundings;

/** Equal while the elevations of the place and around it are the same files, and the place has the same polygons. */
async function inputsOf(
  params: TerrainParams,
  job: ComputedPlace,
  {
    ports,
    spec,
    signal,
  }: {
    readonly ports: Parameters<typeof versionsOfNeeds>[1] & Parameters<typeof demNeeds>[1];
    readonly spec: DemRunSpec;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const versions = await versionsOfNeeds(await demNeeds(params, ports), { ...ports, signal });
  const around = await ports.elevation?.demFor(grown(job.box, aroundOf(spec).metres), signal);
  const files = around?.rasters.map(({ href, version = null }) => [href, version]) ?? null;
  return inputsOfPlace(job, versions, JSON.stringify(files));
}

async function execute(params: TerrainParams, { spec, ports, context }: Tools): Promise<Deliverable> {
  const scratch: ScratchRaster[] = [];
  try {
    const clock = createStepClock(ports, context);
    const log: DemRun['log'] = (line) => context.log(line);
    const job = await loadPlace(params.tehsilId, ports);
    // Before the files are opened: a version that comes meanwhile differs from what is told.
    const inputs = await inputsOf(params, job, { ports, spec, signal: context.signal });
    const work = (step: string): WorkContext => ({
      signal: context.signal,
      progress: (share, note) => context.progress(step, share, note),
    });
    const dem = await clock.step('read_elevation', () =>
      readDem(job.box, { ports, work: work('read_elevation'), metres: aroundOf(spec).metres }),
    );
    scratch.push(dem.heights);
    context.log(
      `${spec.item.title} of ${job.place.tehsil.name} from ${dem.elevation.title}, method ${spec.item.method}`,
    );
    const files = await openFiles(ports, context.run);
    const told = aroundOf(spec).note?.({ isWhole: dem.hasMargin, pixelMetres: pixelMetres(dem.heights.grid) });
    const note = told === undefined ? '' : ` ${told}`;
    const keep = (raster: ScratchRaster): void => void scratch.push(raster);
    const made = await spec.make({ job, dem, files, ports, runId: context.run.id, clock, note, log, work, keep });
    return { ...made, timings: clock.seconds(), inputs };
  } finally {
    await ports.pixels.release(scratch);
  }
}
