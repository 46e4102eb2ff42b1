import { collectionOf, type Deliverable, DomainError, formerItem, type NewItem, type NewLayer } from '@headwater/core';
import { assertValid, checkColumns, describeFinding } from '@headwater/stac';
import { LULC_LEVELS } from '../classes/levels.ts';
import {
  levelWorkspace,
  rasterItemId,
  rasterLayer,
  VECTOR_DATASET,
  VECTOR_WORKSPACE,
  vectorItemId,
  vectorLayer,
} from '../run/names.ts';
import type { YearRaster } from '../run/rasters.ts';
import type { SideFiles } from './item-assets.ts';
import { rasterItemOf, vectorItemOf } from './items.ts';
import type { VectorFiles } from './layer-files.ts';
import type { ItemTools } from './shared-members.ts';

/** Everything made, to be published. `sides`: style files and previews, rasters first, the vector last. */
export interface Made {
  readonly rasters: readonly YearRaster[];
  /** Undefined for a tehsil without MWS. */
  readonly vector: VectorFiles | undefined;
  readonly sides: readonly SideFiles[];
}

/** An Item with the layers that show it. */
interface Published {
  readonly item: NewItem;
  readonly layers: readonly NewLayer[];
}

/** Items and layer records of the run, validated: throws `StacError` naming every fault rather than publish one. */
export function deliverable({ rasters, vector, sides }: Made, tools: ItemTools): Omit<Deliverable, 'timings'> {
  const { job } = tools;
  const collectionPath = collectionOf(job.slugs);
  const tehsilId = job.place.tehsil.id;
  const published = rasters.map((year, i): Published => {
    const side = sideAt(sides, i);
    const item = rasterItemOf(year, side, tools);
    const formerly = formerItem(job.slugs, (slugs) => rasterItemId(slugs, year.result.year));
    return {
      item: { id: item.id, collectionPath, item: { ...item }, formerly },
      layers: LULC_LEVELS.map((level) => ({
        workspace: levelWorkspace(level),
        ...rasterLayer(job.slugs, year.result.year, level),
        datasetName: levelWorkspace(level),
        layerType: 'raster',
        tehsilId,
        itemId: item.id,
        assetKey: year.cogFile.key,
        styleKey: (level === 3 ? side : side.levels?.[level])?.qml.key ?? null,
      })),
    };
  });
  const all = vector === undefined ? published : [...published, vectorOf({ rasters, vector, sides }, tools)];
  for (const { item: made } of all) assertValid(made.item);
  return { items: all.map((p) => p.item), layers: all.flatMap((p) => p.layers) };
}

/** Item and layer of the per-MWS vector. Throws `internal` where its columns and its features differ. */
function vectorOf({ rasters, vector, sides }: Made & { readonly vector: VectorFiles }, tools: ItemTools): Published {
  const { slugs, place } = tools.job;
  const side = sideAt(sides, rasters.length);
  const item = vectorItemOf(rasters, { ...side, geojson: vector.geojson, preview: vector.preview }, tools);
  const faults = checkColumns(item, vector.layer.features);
  if (faults.length > 0)
    throw new DomainError(
      'internal',
      `table:columns and the GeoJSON differ: ${faults.map(describeFinding).join('; ')}`,
    );
  return {
    item: {
      id: item.id,
      collectionPath: collectionOf(slugs),
      item: { ...item },
      formerly: formerItem(slugs, vectorItemId),
    },
    layers: [
      {
        workspace: VECTOR_WORKSPACE,
        ...vectorLayer(slugs),
        datasetName: VECTOR_DATASET,
        layerType: 'vector',
        tehsilId: place.tehsil.id,
        itemId: item.id,
        assetKey: vector.geojson.key,
        styleKey: side.qml.key,
      },
    ],
  };
}

function sideAt(sides: readonly SideFiles[], index: number): SideFiles {
  const side = sides[index];
  if (side === undefined) throw new RangeError(`style files of layer ${index} were not written`);
  return side;
}
