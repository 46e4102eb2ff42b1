import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { boxPolygon } from '@headwater/core/geo';
import type { FakeBand, FakeGrid, FakeImage, FakeImages, FakePixels } from '@headwater/earth-engine/testing';
import { openRaster } from '@headwater/raster';
import { multiBandTiff } from './multi-band-tiff.fixture.ts';
import { sceneId, SMALL_BOX, smallGrid, type SmallScene } from './small-world.fixture.ts';

const BANDS = [
  { id: 'B2', file: 'B02', size: 10 },
  { id: 'B3', file: 'B03', size: 10 },
  { id: 'B4', file: 'B04', size: 10 },
  { id: 'B8', file: 'B08', size: 10 },
  { id: 'B11', file: 'B11', size: 20 },
  { id: 'SCL', file: 'SCL', size: 20 },
] as const;

const imageId = ({ date, crs }: SmallScene): string => {
  const day = date.replaceAll('-', '');
  return `${day}T052000_${day}T053000_T${crs.slice(-2)}QAA`;
};

/** Scenes of `writeScenes` as images of a fake Earth Engine. */
export function smallImages(dataDir: string, scenes: readonly SmallScene[], pageSize = 20): FakeImages {
  const byId = new Map(scenes.map((scene) => [imageId(scene), scene]));
  return {
    pageSize,
    list: [...byId].map(([id, scene]) => imageOf(id, scene)),
    pixels: async ({ id, bandIds, grid }) => {
      const scene = byId.get(id);
      if (scene === undefined) throw new Error(`there is no image ${id}`);
      const folder = join(dataDir, 'eo', 'small', sceneId(scene));
      const bands = await Promise.all(bandIds.map((band) => bandOf(folder, band, grid)));
      return multiBandTiff(gridOf(grid), bands);
    },
  };
}

function imageOf(id: string, { date, crs }: SmallScene): FakeImage {
  const [west, south, east, north] = SMALL_BOX;
  return {
    id,
    startTime: `${date}T05:20:00Z`,
    properties: { CLOUDY_PIXEL_PERCENTAGE: 0, MGRS_TILE: `${crs.slice(-2)}QAA`, PROCESSING_BASELINE: '03.01' },
    geometry: boxPolygon([west, south, east, north]),
    bands: BANDS.map(({ id: band, size }) => ({ id: band, grid: shownGrid(smallGrid(crs, size)) })),
  };
}

/** Grid as Earth Engine describes it. Earth Engine omits members whose value is zero. */
const shownGrid = ({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): FakeBand['grid'] => ({
  crsCode: crs,
  dimensions: { width: cols, height: rows },
  affineTransform: { scaleX: pixelWidth, translateX: west, scaleY: -pixelHeight, translateY: north },
});

function gridOf({ crsCode, dimensions: { width, height }, affineTransform: of }: FakeGrid): PixelGrid {
  const { scaleX = 0, scaleY = 0, translateX = 0, translateY = 0 } = of;
  return {
    crs: crsCode,
    west: translateX,
    north: translateY,
    pixelWidth: scaleX,
    pixelHeight: -scaleY,
    cols: width,
    rows: height,
  };
}

async function bandOf(
  folder: string,
  band: FakePixels['bandIds'][number],
  grid: FakeGrid,
): Promise<Uint8Array | Uint16Array> {
  const name = BANDS.find(({ id }) => id === band)?.file ?? '';
  const file = await openRaster(join(folder, `${name}.tif`));
  try {
    const { west, north, pixelWidth, pixelHeight, cols, rows } = gridOf(grid);
    const values = file.dtype === 'uint8' ? new Uint8Array(cols * rows) : new Uint16Array(cols * rows);
    const col = Math.round((west - file.grid.west) / pixelWidth);
    const row = Math.round((file.grid.north - north) / pixelHeight);
    await file.readWindow({ col, row, cols, rows }, values);
    return values;
  } finally {
    file.close();
  }
}
