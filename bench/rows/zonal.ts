import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZonalRequest } from '@headwater/core/ports';
import { zonalOnFile } from '../../packages/raster/src/bench/whole-files.ts';
import { openRaster } from '../../packages/raster/src/tiff/open-raster.ts';
import { PIXELS, runContest, seconds } from '../contest.ts';
import { rasterFolder } from '../inputs.ts';
import { sideOf, startPeer } from '../peer.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';
import { THREADS } from './context.ts';

/**
 * Largest allowed relative difference of the total area. exactextract computes with float32 fractions and rounds areas
 * to 1e-6 ha.
 */
const TOLERANCE = 1e-7;
const CLASSES = 13;
/**
 * Lowest allowed ratios. `exact`: compared with exactextract. `centres`: compared with a peer that assigns whole pixels
 * by their centres.
 */
const BARS = { exact: 8, centres: 1 } as const;

type Zones = ZonalRequest['zones'];
type Collection = {
  readonly features: readonly {
    readonly properties: { readonly uid: string };
    readonly geometry: Zones[number]['geometry'];
  }[];
};

/** Computes class areas of 120 polygons by covered fractions of pixels. Our code also reads the file. */
export const zonalRows: RowGroup = { names: ['zonal'], run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const folder = rasterFolder(options.quick);
  if (folder === undefined) return [];
  const [raster, polygons] = [join(folder, 'classes.tif'), join(folder, 'polygons.geojson')];
  const { features } = JSON.parse(readFileSync(polygons, 'utf8')) as Collection;
  const zones: Zones = features.map(({ properties, geometry }) => ({ id: properties.uid, geometry }));
  const file = await openRaster(raster);
  file.close();
  const pixels = file.grid.cols * file.grid.rows;
  const [exact, centres] = [`zonal_exactextract_${THREADS}t`, `zonal_rasterize_numba_${THREADS}t`];
  const peer = await startPeer('zonal.py', [
    raster,
    polygons,
    '--threads',
    String(THREADS),
    '--only',
    `${exact},${centres}`,
  ]);
  const ours = async (): Promise<number> => pixels / 1e6 / (await seconds(() => zonalOnFile(raster, zones)));
  try {
    const peers = [
      ...sideOf(peer, exact),
      ...sideOf(peer, centres, { rule: false, label: 'pixel_centres', bar: BARS.centres }),
    ];
    const rows = await runContest({ ...PIXELS, name: 'zonal', bar: BARS.exact, rounds: options.rounds, ours, peers });
    const total = Object.values(await zonalOnFile(raster, zones)).reduce(
      (sum, areas) => sum + areas.slice(0, CLASSES).reduce((a, b) => a + b, 0),
      0,
    );
    checks.close('zonal, total ha', { ours: total, peer: peer?.checks.get(exact) }, TOLERANCE);
    return rows;
  } finally {
    peer?.close();
  }
}
