import { type Box, outputGrid, type Pipeline, type PipelinePorts, placeSlug } from '@headwater/core';
import { openFiles } from '@headwater/layer-kit';
import { collectionId, collectionPath, instant, itemId, rasterItem } from '@headwater/stac';
import { type LulcParams, lulcPipeline, type LulcRequest, type LulcRunParams } from '@headwater/land-cover';
import { writeGeoTiff } from '@headwater/raster';
import type { Polygon } from 'geojson';
import { boxPolygon } from '../scripts/boxes.mjs';

/** A tehsil with sides of about 1 km; its edges are not aligned to pixels. */
export const PAINTED_BOX: Box = [77.98, 17.5, 77.9901, 17.5097];
const [WEST, SOUTH, EAST, NORTH] = PAINTED_BOX;
const MIDDLE = 77.98503;

const rectangle = ([west, south, east, north]: Box): Polygon => boxPolygon({ west, south, east, north });

/** The western and the eastern micro-watershed, which cover the tehsil. */
export const PAINTED_MWS: readonly { readonly uid: string; readonly box: Box }[] = [
  { uid: '12_900001', box: [WEST, SOUTH, MIDDLE, NORTH] },
  { uid: '12_900002', box: [MIDDLE, SOUTH, EAST, NORTH] },
];

/** The tehsil as a place in the place directory. */
export const PAINTED_PLACE = {
  state: 'Virtapradesh',
  district: 'Nirmalgarh',
  tehsil: 'Rangpur',
  geometry: rectangle(PAINTED_BOX),
  mws: PAINTED_MWS.map(({ uid, box }) => ({ uid, geometry: rectangle(box) })),
  villages: [],
};

/** Grid of all rasters of the tehsil. */
export const PAINTED_GRID = outputGrid(PAINTED_BOX);
const CLASSES = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12] as const;

/** Returns the class of a pixel in a year; most patches of 3 x 3 pixels never change. */
export function paintedClass(year: number, row: number, col: number): number {
  const patch = Math.floor(row / 3) * 1009 + Math.floor(col / 3);
  const settled = mixed(patch) % 3 > 0;
  return CLASSES[mixed(settled ? patch : patch * 31 + year) % CLASSES.length] ?? 0;
}

/** Pseudo-random number from a seed (finaliser of MurmurHash3). */
function mixed(seed: number): number {
  let hash = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

type Paint = (year: number, row: number, col: number) => number;

const ofTehsil = (params: LulcRunParams): LulcParams => {
  if ('tehsilId' in params) return params;
  throw new Error('painted land cover needs a tehsil');
};

async function namesOf(tehsilId: number, { places }: Pick<PipelinePorts, 'places'>) {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined) throw new Error(`tehsil ${tehsilId} does not exist`);
  return { state: place.state.name, district: place.district.name, block: place.tehsil.name };
}

/** Creates a land-cover pipeline whose classes come from a function instead of scenes. */
export const createPaintedPipeline = (
  paint: Paint = paintedClass,
  /** Class of all pixels of a tehsil in another district; without it, `paint` is used there too. */
  { elsewhere }: { readonly elsewhere?: number } = {},
): Pipeline<LulcRequest, LulcRunParams> => ({
  ...lulcPipeline,
  inputs: async () => 'painted',
  async execute(params, ports, { run }) {
    const { tehsilId, startYear, endYear } = ofTehsil(params);
    const files = await openFiles(ports, run);
    const { cols, rows, west, north, pixelWidth } = PAINTED_GRID;
    const names = await namesOf(tehsilId, ports);
    const only = names.district === PAINTED_PLACE.district ? undefined : elsewhere;
    const path = collectionPath(names.state, names.district, names.block);
    const slug = `${placeSlug(names.district)}_${placeSlug(names.block)}`;
    const published = [];
    for (let year = startYear; year <= endYear; year++) {
      const data = Uint8Array.from(
        { length: cols * rows },
        (_, i) => only ?? paint(year, Math.floor(i / cols), i % cols),
      );
      await writeGeoTiff(files.path(`${year}.tif`), {
        data,
        grid: PAINTED_GRID,
        nodata: 0,
        tileSize: 256,
        threads: 1,
        overviews: 'none',
        predictor: 1,
      });
      const file = await files.stat(`${year}.tif`);
      const id = itemId({ ...names, layer: 'land_use_land_cover_raster', year });
      const two = (y: number): string => String(y % 100);
      const layerName = `LULC_${two(year)}_${two(year + 1)}_${slug}_level_3`;
      const item = rasterItem({
        id,
        geometry: PAINTED_PLACE.geometry,
        title: `Painted ${year}`,
        description: 'Painted, for a test.',
        start: instant(`${year}-07-01T00:00:00Z`),
        end: instant(`${year + 1}-06-30T00:00:00Z`),
        published: instant(ports.now()),
        keywords: ['painted'],
        processing: { lineage: 'Painted.', software: { headwater: '0.0.0' } },
        root: { href: ports.addresses.catalog(), title: 'Root' },
        collection: { id: collectionId(path), href: ports.addresses.collection(path), title: names.block },
        self: ports.addresses.item(path, id),
        attribution: 'Painted by hand',
        extra: { 'headwater:synthetic': true },
        grid: {
          code: 'EPSG:4326',
          shape: [rows, cols],
          transform: [pixelWidth, 0, west, 0, -pixelWidth, north],
          gsd: 10,
        },
        content: { classes: [{ value: 1, name: 'painted', description: 'Painted' }], dataType: 'uint8', nodata: 0 },
        assets: { data: { href: ports.addresses.coverage('LULC_level_3', layerName), title: 'Raster' } },
      });
      published.push({
        item: { id, collectionPath: path, item: { ...item } },
        layer: {
          workspace: 'LULC_level_3',
          layerName,
          datasetName: 'LULC_level_3',
          layerType: 'raster' as const,
          tehsilId,
          itemId: id,
          assetKey: file.key,
          styleKey: null,
        },
      });
    }
    return {
      items: published.map(({ item }) => item),
      layers: published.map(({ layer }) => layer),
      timings: {},
      inputs: 'painted',
    };
  },
});

/** Squared eccentricity, and semi-minor axis (m), of WGS84. */
const E2 = 0.006694379990141317;
const SEMI_MINOR = 6_356_752.314245179;

/** Area of a lon/lat box on the WGS84 ellipsoid in closed form, ha. */
function boxHectares([west, south, east, north]: Box): number {
  const e = Math.sqrt(E2);
  const q = (degrees: number): number => {
    const sine = Math.sin((degrees * Math.PI) / 180);
    return sine / (1 - E2 * sine * sine) + Math.atanh(e * sine) / e;
  };
  return ((SEMI_MINOR ** 2 / 2) * (((east - west) * Math.PI) / 180) * (q(north) - q(south))) / 10_000;
}

/**
 * Returns the area, ha, of the part of a box in which `picks` returns true for the pixel. Computed in closed
 * form.
 */
export function hectaresWhere(box: Box, picks: (row: number, col: number) => boolean): number {
  const { west, north, pixelWidth: size, cols, rows } = PAINTED_GRID;
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      if (!picks(row, col)) continue;
      const [left, top] = [west + col * size, north - row * size];
      const part: Box = [
        Math.max(left, box[0]),
        Math.max(top - size, box[1]),
        Math.min(left + size, box[2]),
        Math.min(top, box[3]),
      ];
      if (part[0] < part[2] && part[1] < part[3]) sum += boxHectares(part);
    }
  }
  return sum;
}
