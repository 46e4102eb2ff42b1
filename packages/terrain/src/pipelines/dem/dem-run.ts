import {
  layerPipeline,
  type LayerSpec,
  type LayerWork,
  type RunOutput,
  type PlaceParams,
  type PlaceRequest,
} from '@headwater/layer-kit';
import { grown, pixelMetres } from './dem-grid.ts';
import { elevationAbout, type TerrainAbout } from './elevation-about.ts';
import { terrainBasics, type TerrainPipeline } from './place-pipeline.ts';
import { type DemRead, readDem } from './read-dem.ts';

/** Land around a place that is read with it. */
export interface Surroundings {
  readonly metres: number;
  /** Sentences of Items about it. Left out: nothing. */
  readonly note?: (read: {
    /** True if there are elevations of all of that. */
    readonly isWhole: boolean;
    readonly pixelMetres: number;
  }) => string;
}

/** What landforms are compared with is up to 2010 m away. */
const LANDFORM_SURROUNDINGS: Surroundings = { metres: 2100 };

/** A run that has read its heights. */
export interface DemRun extends LayerWork<PlaceParams> {
  readonly dem: DemRead;
  /** Sentences of Items about the land around the place. */
  readonly note: string;
}

/** A layer that follows from heights. */
export interface DemRunSpec extends Pick<LayerSpec<PlaceRequest, PlaceParams>, 'summary' | 'data'> {
  /** Route and name of the pipeline. */
  readonly name: string;
  readonly method: string;
  readonly initiated: string;
  readonly about: TerrainAbout;
  /** Left out: places without micro-watersheds are computed too. */
  readonly resolve?: TerrainPipeline['resolve'];
  /** Left out: as much as landforms need. */
  readonly surroundings?: Surroundings;
  /** Steps behind `read_elevation`. */
  readonly steps: TerrainPipeline['steps'];
  readonly make: (run: DemRun) => Promise<RunOutput>;
}

/** Pipeline of such a layer: the heights are read with the land around, the layer is made of them. */
export function demRunPipeline(spec: DemRunSpec): TerrainPipeline {
  const { name, method, summary, initiated, about, data = [], resolve, steps, make } = spec;
  const { surroundings: { metres, note } = LANDFORM_SURROUNDINGS } = spec;
  return layerPipeline<PlaceRequest, PlaceParams>({
    ...terrainBasics(name, method),
    ...(resolve && { resolve }),
    summary,
    data,
    messages: { initiated },
    needs: ({ box }) => [{ kind: 'dem', box }],
    // Equal while the elevations around the place are the same files.
    otherInputs: async ({ box }, _, { ports, context }) => {
      const around = await ports.elevation?.demFor(grown(box, metres), context.signal);
      return JSON.stringify(around?.rasters.map(({ href, version = null }) => [href, version]) ?? null);
    },
    steps: [{ name: 'read_elevation', weight: 4 }, ...steps],
    run: async (work) => {
      const { clock, context, job, keep, ports } = work;
      const dem = await clock.step('read_elevation', (step) => readDem(job.box, { ports, work: step, metres }));
      keep([dem.heights]);
      context.log(`${about.title} of ${job.place.tehsil.name} from ${dem.elevation.title}, method ${method}`);
      const sentences = note?.({ isWhole: dem.hasMargin, pixelMetres: pixelMetres(dem.heights.grid) });
      return make({ ...work, dem, note: sentences === undefined ? '' : ` ${sentences}` });
    },
  });
}

/** A layer of a run as its Item describes it. */
export const aboutOf = (about: TerrainAbout, { dem, note, method }: Pick<DemRun, 'dem' | 'note' | 'method'>) =>
  elevationAbout(about, { source: dem.elevation, method, note });

/**
 * Metres around a place over which flow is computed: small streams that come from beyond its border have all of their land within, rivers
 * have not, whatever the margin.
 */
const FLOW_MARGIN = 5000;

/** Surroundings of layers that follow from flow. */
export const FLOW_SURROUNDINGS: Surroundings = {
  metres: FLOW_MARGIN,
  note: ({ isWhole, pixelMetres }) =>
    [
      `Flow is computed on pixels of ${Math.round(pixelMetres)} m over the place and ${FLOW_MARGIN / 1000} km around it${isWhole ? '' : '; elevations are known for a part of that only'}.`,
      'Water from farther away is not counted: a river that enters this window begins at its border, with too little land and too low an order.',
      'Depressions are filled to their spill (Barnes et al. 2014); on flats and lakes water takes the shortest way to it. Pixels without elevation (holes, sea) take water and give none.',
    ].join(' '),
};
