import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lulcSeries } from '@headwater/land-cover';
import { openRaster } from '@headwater/raster';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { classify, type Judged } from './observed.ts';

/** Real sample outside of the repository: Sentinel-2 NDVI in Slovenia, with a national land-use map. */
const FOLDER = fileURLToPath(new URL('../../../shared/data/eo/eolearn_testeopatch/cog', import.meta.url));
const [CORE, LATITUDE] = [23, 46];
/** Right classes for each code of the national map: cultivated, forest, grass, shrubs, artificial. */
const RIGHT: Readonly<Record<number, readonly number[]>> = { 1: [8, 9, 10, 11], 2: [6], 3: [12], 4: [12, 6], 8: [1] };

/** A mapped year of the sample, and the codes of the national map. */
export interface RealYear extends Judged {
  readonly year: number;
  readonly reference: Uint8Array;
}

/** Number of columns of the sample. */
export const REAL_COLS = 100;

/** True if the real sample is available. */
export const hasRealPatch = (): boolean => existsSync(FOLDER);

async function read<T extends Uint8Array | Int16Array>(name: string, make: (length: number) => T): Promise<T> {
  const file = await openRaster(join(FOLDER, name));
  const { rows, cols } = file.grid;
  const pixels = make(rows * cols);
  await file.readWindow({ row: 0, col: 0, rows, cols }, pixels);
  file.close();
  return pixels;
}

/** Maps two years of the real sample. Pixels whose national code has no right class get confidence 0. */
export async function judgeRealPatch(): Promise<readonly RealYear[]> {
  const reference = await read('LULC_reference.tif', (n) => new Uint8Array(n));
  const ids = readdirSync(FOLDER).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  const seen = await Promise.all(
    ids.map(async (id) => ({
      date: id.replace(/^S2_(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3'),
      ndvi: await read(`${id}_NDVI.tif`, (n) => new Int16Array(n)),
      cloud: await read(`${id}_CLM.tif`, (n) => new Uint8Array(n)),
    })),
  );
  const pixels = reference.length;
  return [2015, 2016].map((year) => {
    const { steps, core } = lulcSeries(year);
    const ndvi = new Int16Array(steps.length * pixels).fill(INDEX_NODATA);
    for (const [s, { start, end }] of steps.entries()) {
      const dated = seen.filter(({ date }) => date >= start && date < end);
      for (let i = 0; i < pixels; i++) {
        const values = dated.flatMap((d) => (d.cloud[i] === 0 ? [d.ndvi[i] ?? 0] : [])).toSorted((a, b) => a - b);
        if (values.length > 0) ndvi[s * pixels + i] = values[values.length >> 1] ?? 0;
      }
    }
    const unknown = (): Int16Array => new Int16Array(CORE * pixels).fill(INDEX_NODATA);
    const series = { ndvi, mndwi: unknown(), ndbi: unknown(), bsi: unknown() };
    const mapped = classify({ pixels, series, clear: new Uint16Array(pixels) }, core, LATITUDE);
    const confidence = mapped.confidence.map((percent, i) => (RIGHT[reference[i] ?? 0] === undefined ? 0 : percent));
    return {
      ...mapped,
      year,
      reference,
      confidence,
      isRight: (pixel: number) => RIGHT[reference[pixel] ?? 0]?.includes(mapped.labels[pixel] ?? 0) ?? false,
    };
  });
}
