import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZonalRequest } from '@headwater/core/ports';
import { polygonsOnFile, zoneSums } from '../../packages/raster/src/bench/whole-files.ts';
import { writeGeoTiff } from '../../packages/raster/src/cog/geotiff-writer.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { cpuSeconds, PIXELS, runContest, warmUp } from '../contest.ts';
import { BENCH_FOLDER, rasterFolder } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { pixelPeer, sideOf } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

/** Computes polygons of a class map, and five statistics of float32 values in zones, in one thread. */
export const shapeRows: RowGroup = { names: ['polygonise', 'zonal_values'], run };

const BARS = { polygonise: 8, zonal_values: 5 } as const;

async function run(context: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(context.options.quick);
  if (folder === undefined) return [];
  const results: BenchResult[] = [];
  if (isWanted('polygonise', context.options)) results.push(...(await polygoniseRow(folder, context)));
  if (isWanted('zonal_values', context.options)) results.push(...(await zonalValuesRow(folder, context)));
  return results;
}

async function polygoniseRow(folder: string, { options, checks }: RowContext): Promise<BenchResult[]> {
  const [path, out] = [join(folder, 'classes.tif'), join(BENCH_FOLDER, 'out')];
  mkdirSync(out, { recursive: true });
  const { grid, close } = await openRaster(path).then((file) => ({ grid: file.grid, close: () => file.close() }));
  close();
  let count = 0;
  const ours = async (): Promise<number> => {
    const cpu = await cpuSeconds(async () => {
      count = await polygonsOnFile(path);
    });
    return (grid.cols * grid.rows) / 1e6 / cpu;
  };
  const peer = await pixelPeer('polygonise', path, out);
  try {
    const [program, shapes] = ['polygonise_gdal_polygonize', 'polygonise_rasterio'];
    const peers = [...sideOf(peer, program), ...sideOf(peer, shapes, { rule: false, label: 'rasterio' })];
    const { rounds } = options;
    const rows = await runContest({ ...PIXELS, name: 'polygonise', bar: BARS.polygonise, rounds, ours, peers });
    checks.equal('polygonise, number of polygons', count, peer?.checks.get(shapes));
    return rows;
  } finally {
    peer?.close();
  }
}

type Zones = ZonalRequest['zones'];
interface Feature {
  readonly properties: { readonly uid: string };
  readonly geometry: Zones[number]['geometry'];
}

/**
 * Largest allowed relative difference between the sums of both sides. A sum adds the range (maximum minus minimum) of
 * each zone.
 */
const TOLERANCE = 1e-6;

async function zonalValuesRow(folder: string, { options, checks }: RowContext): Promise<BenchResult[]> {
  const [classes, zonesPath, path] = ['classes.tif', 'polygons.geojson', 'floats.tif'].map((name) =>
    join(folder, name),
  );
  const { features } = JSON.parse(readFileSync(zonesPath!, 'utf8')) as { readonly features: readonly Feature[] };
  const zones: Zones = features.map(({ properties, geometry }) => ({ id: properties.uid, geometry }));
  const source = await openRaster(classes!);
  const { grid } = source;
  source.close();
  const values = Float32Array.from({ length: grid.cols * grid.rows }, (_, i) =>
    i % 101 === 7 ? Number.NaN : Math.sin(i / 1000) + (Math.imul(i, 2_654_435_761) >>> 8) / 2 ** 25,
  );
  await writeGeoTiff(path!, {
    grid,
    data: values,
    nodata: Number.NaN,
    overviews: 'none',
    predictor: 1,
    tileSize: 512,
    level: 1,
  });
  const compute = zoneSums(values, grid, zones);
  let ranges = 0;
  const ours = async (): Promise<number> => {
    const cpu = await cpuSeconds(async () => {
      ranges = (await compute()).reduce((sum, { min, max }) => sum + (max ?? 0) - (min ?? 0), 0);
    });
    return values.length / 1e6 / cpu;
  };
  await warmUp(ours);
  const peer = await pixelPeer('zonal_values', path!, zonesPath!);
  try {
    const name = 'zonal_values_exactextract';
    const peers = sideOf(peer, name);
    const { rounds } = options;
    const rows = await runContest({ ...PIXELS, name: 'zonal_values', bar: BARS.zonal_values, rounds, ours, peers });
    checks.close('zonal_values, sum of ranges', { ours: ranges, peer: peer?.checks.get(name) }, TOLERANCE);
    return rows;
  } finally {
    peer?.close();
  }
}
