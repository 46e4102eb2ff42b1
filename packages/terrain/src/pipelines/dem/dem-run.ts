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

/** Margin in which a layer needs heights. */
export interface Surroundings {
  /**
   * Widths of the margin around the place, m, ascending: the first width, and the widths to which the margin may be
   * widened. A stored result is valid as long as the elevations in the margins are unchanged.
   */
  readonly metres: readonly [number, ...number[]];
  /** True: `readFlowWindow` widens the margin until it contains all catchments, or up to a limit. */
  readonly isFlow?: boolean;
  /** Sentences about the margin for the Item's description. */
  readonly note?: (read: WindowFacts) => string;
}

/** Margin of landforms: they depend on heights up to 2010 m away; 90 m are added for pixels outside of the border. */
const LANDFORM_SURROUNDINGS: Surroundings = { metres: [2100] };

/** A run and its heights. */
export interface DemRun extends LayerWork<PlaceParams> {
  readonly dem: DemRead;
  /** Window of the flow; absent for layers without flow. */
  readonly window?: FlowWindow;
  /** Sentences about the margin for the Item's description. */
  readonly note: string;
}

/** Specification of a layer from heights. */
export interface DemRunSpec extends Pick<
  LayerSpec<PlaceRequest, PlaceParams>,
  'listing' | 'styles' | 'summary' | 'data'
> {
  /** Route and name of the pipeline. */
  readonly name: string;
  readonly method: string;
  readonly initiated: string;
  readonly about: TerrainAbout;
  /** Resolves the parameters of a request. The default also accepts places without micro-watersheds. */
  readonly resolve?: TerrainPipeline['resolve'];
  /** Needed heights around the place; default: the margin of landforms. */
  readonly surroundings?: Surroundings;
  /** Steps after `read_elevation`. */
  readonly steps: TerrainPipeline['steps'];
  readonly make: (run: DemRun) => Promise<RunOutput>;
}

/**
 * Text that changes if an elevation file in the box or its greatest margin changes, even if a run uses a narrower
 * margin.
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

/** Text that changes if the elevation files in a box change. */
export async function demVersions(box: Box, { ports, context }: VersionTools): Promise<string> {
  return versionsOf(await ports.elevation?.demFor(box, context.signal));
}

const versionsOf = (found: Elevation | undefined): string =>
  JSON.stringify(found?.rasters.map(({ href, version = null }) => [href, version]) ?? null);

/** Creates the pipeline of a layer from heights. The pipeline reads heights with their margin, then calls `make`. */
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

/** Description of a layer for an Item, with the note about the margin and with flow properties. */
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

/** Margin and note of layers from flow. */
export const FLOW_SURROUNDINGS: Surroundings = { metres: FLOW_MARGINS, isFlow: true, note: flowNote };

/** Margin and note of depressions, which do not depend on catchments. */
export const DEPRESSION_SURROUNDINGS: Surroundings = { metres: [FLOW_MARGINS[0]], note: flowNote };
