import type { Box } from '@headwater/core';
import {
  type InputTools,
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

/** Margin around a place in which a layer needs heights. `metres`: width of the margin. */
export interface Surroundings {
  readonly metres: number;
  /** Returns sentences about the margin for the Item's description; absent: no sentences. */
  readonly note?: (read: {
    /** True if the elevations cover the whole margin. */
    readonly isWhole: boolean;
    readonly pixelMetres: number;
  }) => string;
}

/** Margin of landforms. Each pixel is compared with heights up to 2010 m away. */
const LANDFORM_SURROUNDINGS: Surroundings = { metres: 2100 };

/** A run, with the heights that it has read. */
export interface DemRun extends LayerWork<PlaceParams> {
  readonly dem: DemRead;
  /** Sentences about the margin for the Item's description. */
  readonly note: string;
}

/** Specification of a layer that is computed from heights. */
export interface DemRunSpec extends Pick<LayerSpec<PlaceRequest, PlaceParams>, 'listing' | 'summary' | 'data'> {
  /** Route and name of the pipeline. */
  readonly name: string;
  readonly method: string;
  readonly initiated: string;
  readonly about: TerrainAbout;
  /** Resolves the parameters of a request. Default: a function that also accepts places without micro-watersheds. */
  readonly resolve?: TerrainPipeline['resolve'];
  /** Heights around the place that the layer needs; default: the margin of landforms. */
  readonly surroundings?: Surroundings;
  /** Steps after `read_elevation`. */
  readonly steps: TerrainPipeline['steps'];
  readonly make: (run: DemRun) => Promise<RunOutput>;
}

/** Returns a text that changes if other elevation files, or other versions of the same files, cover a box. */
export async function demVersions(
  box: Box,
  { ports, context }: Pick<InputTools, 'ports' | 'context'>,
): Promise<string> {
  const found = await ports.elevation?.demFor(box, context.signal);
  return JSON.stringify(found?.rasters.map(({ href, version = null }) => [href, version]) ?? null);
}

/**
 * Creates the pipeline of a layer that is computed from heights. The pipeline reads the heights with their margin,
 * then calls `make` for the layer.
 */
export function demRunPipeline(spec: DemRunSpec): TerrainPipeline {
  const { name, method, listing, summary, initiated, about, data = [], resolve, steps, make } = spec;
  const { surroundings: { metres, note } = LANDFORM_SURROUNDINGS } = spec;
  return layerPipeline<PlaceRequest, PlaceParams>({
    ...terrainBasics(name, method),
    ...(resolve && { resolve }),
    ...(listing && { listing }),
    summary,
    data,
    messages: { initiated },
    needs: ({ box }) => [{ kind: 'dem', box }],
    otherInputs: ({ box }, _, tools) => demVersions(grown(box, metres), tools),
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

/** Describes a layer of a run for its Item. The description contains the elevations and the note about the margin. */
export const aboutOf = (about: TerrainAbout, { dem, note, method }: Pick<DemRun, 'dem' | 'note' | 'method'>) =>
  elevationAbout(about, { source: dem.elevation, method, note });

/**
 * Margin of layers that are computed from flow, metres. It contains the whole catchment of a small stream that enters
 * the place. The catchment of a river is too large for any margin.
 */
const FLOW_MARGIN = 5000;

/** Margin and note of layers that are computed from flow. */
export const FLOW_SURROUNDINGS: Surroundings = {
  metres: FLOW_MARGIN,
  note: ({ isWhole, pixelMetres }) =>
    [
      `Flow is computed on pixels of ${Math.round(pixelMetres)} m over the place and ${FLOW_MARGIN / 1000} km around it${isWhole ? '' : '; elevations cover only a part of this area'}.`,
      'Water from farther away is not counted: a river that enters this area begins at the border of the area, so its catchment is too small and its order too low.',
      'Depressions are filled up to the level at which they overflow (Barnes et al. 2014); on flats and lakes, water flows the shortest way to the outlet. Water flows into pixels without elevation (holes, sea), but not out of them.',
    ].join(' '),
};
