import type { Box, Elevation } from '@headwater/core';
import {
  type InputTools,
  type LayerAbout,
  layerPipeline,
  type LayerSpec,
  type LayerWork,
  type RunOutput,
  type PlaceParams,
  type PlaceRequest,
} from '@headwater/layer-kit';
import { evenMargins, pixelMetres } from './dem-grid.ts';
import { elevationAbout, type TerrainAbout } from './elevation-about.ts';
import { FLOW_MARGINS, type FlowWindow, readFlowWindow } from './flow-window.ts';
import { flowNote, type WindowFacts, windowProperties } from './window-note.ts';
import { terrainBasics, type TerrainPipeline } from './place-pipeline.ts';
import { type DemRead, elevationsOver, readDem } from './read-dem.ts';

/** Margin around a place in which a layer needs heights. */
export interface Surroundings {
  /** Widths of the margin. A stored result is up to date as long as the elevations within each of these widths have not changed. */
  readonly metres: readonly [number, ...number[]];
  /** True if the margin is widened until it contains the catchments of the place (`readFlowWindow`). */
  readonly isFlow?: boolean;
  /** Returns sentences about the margin for the Item's description; absent if there are no sentences. */
  readonly note?: (read: WindowFacts) => string;
}

/** Margin of landforms. Each pixel is compared with heights up to 2010 m away. */
const LANDFORM_SURROUNDINGS: Surroundings = { metres: [2100] };

/** A run, with the heights that the run has read. */
export interface DemRun extends LayerWork<PlaceParams> {
  readonly dem: DemRead;
  /** Window over which flow is computed; absent for a layer that does not depend on flow. */
  readonly window?: FlowWindow;
  /** Sentences about the margin for the Item's description. */
  readonly note: string;
}

/** Specification of a layer that is computed from heights. */
export interface DemRunSpec extends Pick<
  LayerSpec<PlaceRequest, PlaceParams>,
  'listing' | 'styles' | 'summary' | 'data'
> {
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

/**
 * Returns a text that identifies the elevation files, and their versions, in a box with each of these margins. The text changes if
 * a file or a version changes. The text names all files that a window may read, whatever the margin on each side is. To ensure
 * this, all files that overlap the greatest margin are named, even if they cover only a part of it.
 */
export async function versionsWithin(
  box: Box,
  metres: readonly [number, ...number[]],
  { ports, context: { signal } }: VersionTools,
): Promise<string> {
  const reach = { source: ports.elevation, signal };
  const first = await elevationsOver(box, { ...reach, margins: evenMargins(metres[0]) });
  if (first === undefined || metres.length === 1) return versionsOf(first?.elevation);
  const margins = evenMargins(Math.max(...metres));
  return versionsOf((await elevationsOver(box, { ...reach, margins, before: first.elevation }))?.elevation);
}

type VersionTools = {
  readonly ports: Pick<InputTools['ports'], 'elevation'>;
  readonly context: Pick<InputTools['context'], 'signal'>;
};

/** Returns a text that changes if other elevation files, or other versions of the same files, cover a box. */
export async function demVersions(box: Box, { ports, context }: VersionTools): Promise<string> {
  return versionsOf(await ports.elevation?.demFor(box, context.signal));
}

const versionsOf = (found: Elevation | undefined): string =>
  JSON.stringify(found?.rasters.map(({ href, version = null }) => [href, version]) ?? null);

/**
 * Creates the pipeline of a layer that is computed from heights. The pipeline reads the heights with their margin,
 * then calls `make` for the layer.
 */
export function demRunPipeline(spec: DemRunSpec): TerrainPipeline {
  const { name, method, listing, styles, summary, initiated, about, data = [], resolve, steps, make } = spec;
  const { surroundings: { metres, note, isFlow = false } = LANDFORM_SURROUNDINGS } = spec;
  return layerPipeline<PlaceRequest, PlaceParams>({
    ...terrainBasics(name, method),
    ...(resolve && { resolve }),
    ...(listing && { listing }),
    ...(styles && { styles }),
    summary,
    data,
    messages: { initiated },
    needs: ({ box }) => [{ kind: 'dem', box }],
    otherInputs: ({ box }, _, tools) => versionsWithin(box, metres, tools),
    steps: [{ name: 'read_elevation', weight: 4 }, ...steps],
    run: async (work) => {
      const { clock, context, job, keep, ports } = work;
      const margins = evenMargins(metres[0]);
      const { dem, window } = await clock.step(
        'read_elevation',
        async (step): Promise<{ readonly dem: DemRead; readonly window?: FlowWindow }> => {
          const read = isFlow
            ? await readFlowWindow(job, { ports, work: step })
            : { dem: await readDem(job.box, { ports, work: step, margins }) };
          // The heights are registered inside of the step, so that they are also released if the run is aborted at the end of the
          // step.
          keep([read.dem.heights]);
          return read;
        },
      );
      context.log(`${about.title} of ${job.place.tehsil.name} from ${dem.elevation.title}, method ${method}`);
      const facts = { isWhole: dem.hasMargin, pixelMetres: pixelMetres(dem.heights.grid), margins, ...window };
      const sentences = note?.(facts);
      const text = sentences === undefined ? '' : ` ${sentences}`;
      return make({ ...work, dem, note: text, ...(window === undefined ? {} : { window }) });
    },
  });
}

/** Describes a layer of a run for its Item: the description with the note about the margin, and the properties of a flow window. */
export function aboutOf(
  about: TerrainAbout,
  {
    dem,
    note,
    method,
    window,
    extra,
  }: Pick<DemRun, 'dem' | 'note' | 'method' | 'window'> & { readonly extra?: LayerAbout['extra'] },
): LayerAbout {
  const described = elevationAbout(about, { source: dem.elevation, method, note });
  return { ...described, extra: { ...described.extra, ...extra, ...(window && windowProperties(window)) } };
}

/** Margin and note of layers that are computed from flow. */
export const FLOW_SURROUNDINGS: Surroundings = { metres: FLOW_MARGINS, isFlow: true, note: flowNote };

/** Margin and note of the depths of depressions, which do not depend on the water of catchments. */
export const DEPRESSION_SURROUNDINGS: Surroundings = { metres: [FLOW_MARGINS[0]], note: flowNote };
