import {
  type ComputedPlace,
  layerNamesOf,
  type LayerNeed,
  type Outline,
  requestOfPlace,
  type Rgba,
  type WrittenRaster,
} from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import { rasterQml, rasterSld, rgb, type StyleClass } from '@headwater/layer-kit';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { LANDFORMS } from '../../landforms/classes.ts';
import { demPipeline } from '../dem/raster-pipeline.ts';
import { ringsOf, type ZoneRings } from '../dem/elevation-about.ts';

/** Name and route of the pipeline. */
export const TERRAIN_RASTER = 'generate_terrain_raster';
/** Workspace of landforms and of landform shares. */
export const TERRAIN_WORKSPACE = 'terrain';
/** Name of a place's layer in the map server. */
export const terrainRasterLayer = (place: string): string => `${place}_terrain_raster`;

const CLASSES: readonly StyleClass[] = LANDFORMS.map(({ code, title, color }) => ({
  value: code,
  label: title,
  color,
  alpha: 255,
}));
const PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  LANDFORMS.map(({ code, color }) => [code, [...rgb(color), 255] as const]),
);
const NAMES: Readonly<Record<number, string>> = Object.fromEntries(LANDFORMS.map(({ code, title }) => [code, title]));

/** Pipeline of the landforms, uint8. */
export const terrainRasterPipeline = demPipeline({
  name: TERRAIN_RASTER,
  listing: { title: 'Landforms', theme: 'Terrain', sources: ['Digital elevation model'] },
  summary:
    'Computes the landforms of a tehsil, eleven classes by topographic position and slope, from a digital elevation model.',
  initiated: `${TERRAIN_RASTER} task initiated`,
  workspace: TERRAIN_WORKSPACE,
  dataset: 'Terrain Raster',
  layerName: terrainRasterLayer,
  method: 'landforms-1',
  about: {
    layer: 'terrain_raster',
    title: 'Landforms',
    description:
      'Landforms by slope and by topographic position in rings of 150-300 m and 1860-2010 m (Weiss 2001, Jenness 2006). Position is standardised within each micro-watershed.',
    lineage: 'Landforms by topographic position and slope of a digital elevation model',
    keywords: ['landforms'],
  },
  block: 'landformsBlock',
  params: (job) => ({ zones: zonesOf(job) }),
  type: 'uint8',
  cog: { palette: PALETTE, names: NAMES },
  content: (cog) => ({ classes: classesOf(cog), dataType: 'uint8', nodata: 0 }),
  style: (layerName) => ({ qml: rasterQml(CLASSES), sld: rasterSld(layerName, 'Landforms', CLASSES) }),
  colors: { palette: PALETTE },
});

/**
 * Zones of the landforms: the micro-watersheds, then the tehsil. Land outside of all micro-watersheds belongs to the
 * tehsil's zone.
 */
function zonesOf({ mws, place }: ComputedPlace): readonly ZoneRings[] {
  const outlines: readonly (Outline | null)[] = [...mws.map(({ geometry }) => geometry), place.tehsil.geometry];
  return outlines.flatMap((outline) => (outline === null ? [] : [ringsOf(outline)]));
}

function classesOf({ histogram, inside }: WrittenRaster): NonEmpty<ClassInput> {
  const valid = LANDFORMS.reduce((sum, { code }) => sum + (histogram[code] ?? 0), 0);
  const none: ClassInput = {
    value: 0,
    name: 'no_data',
    description: 'No elevation',
    nodata: true,
    count: Math.max(0, inside - valid),
  };
  const forms = LANDFORMS.map(({ code, name, title, description, color }): ClassInput => {
    const count = histogram[code] ?? 0;
    return { value: code, name, title, description, color, count, percentage: percentOf(count, valid) };
  });
  return [none, ...forms];
}

/** The landforms of a place as a requirement of a run. */
export function landformsNeed(job: ComputedPlace, eoAccountId: number): LayerNeed {
  const { layerName } = layerNamesOf(job.slugs, terrainRasterLayer);
  return {
    kind: 'layer',
    workspace: TERRAIN_WORKSPACE,
    layerName,
    tehsilId: job.place.tehsil.id,
    place: job,
    pipeline: TERRAIN_RASTER,
    request: requestOfPlace(job, eoAccountId),
  };
}
