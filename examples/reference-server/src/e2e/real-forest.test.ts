import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { lulcSeries } from '@headwater/land-cover';
import { classifyBlock } from '@headwater/land-cover/blocks';
import { openRaster } from '@headwater/raster';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../../../../shared/data/eo/eolearn_testeopatch/cog', import.meta.url));
const isThere = existsSync(folder);
if (!isThere) console.log('skipped: no samples in ../shared/data/eo beside the repository');

/** Code of forest in the national land-use map of the sample (Slovenia: beech and oak, leafless from November to April). */
const FOREST = 2;
const [CORE, REF] = [23, 'LULC_reference.tif'];

async function read<T extends Uint8Array | Int16Array>(name: string, make: (length: number) => T): Promise<T> {
  const file = await openRaster(join(folder, name));
  const { rows, cols } = file.grid;
  const pixels = make(rows * cols);
  await file.readWindow({ row: 0, col: 0, rows, cols }, pixels);
  file.close();
  return pixels;
}

interface Seen {
  readonly date: string;
  readonly ndvi: Int16Array;
  readonly cloud: Uint8Array;
}

async function acquisitions(): Promise<readonly Seen[]> {
  const ids = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  return Promise.all(
    ids.map(async (id) => ({
      date: id.replace(/^S2_(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3'),
      ndvi: await read(`${id}_NDVI.tif`, (n) => new Int16Array(n)),
      cloud: await read(`${id}_CLM.tif`, (n) => new Uint8Array(n)),
    })),
  );
}

/** Classes of a year from NDVI alone; the other indices say dry ground everywhere. */
function classify(seen: readonly Seen[], year: number, pixels: number): Uint8Array {
  const { steps, core } = lulcSeries(year);
  const ndvi = new Int16Array(steps.length * pixels).fill(INDEX_NODATA);
  for (const [s, { start, end }] of steps.entries()) {
    const dated = seen.filter(({ date }) => date >= start && date < end);
    for (let i = 0; i < pixels; i++) {
      const values = dated.flatMap((d) => (d.cloud[i] === 0 ? [d.ndvi[i] ?? 0] : [])).toSorted((a, b) => a - b);
      if (values.length > 0) ndvi[s * pixels + i] = values[values.length >> 1] ?? 0;
    }
  }
  const flat = (value: number): Int16Array => new Int16Array(CORE * pixels).fill(value);
  const outputs = {
    labels: new Uint8Array(pixels),
    crops: new Uint8Array(pixels),
    quality: new Uint8Array(pixels),
  };
  const series = { ndvi, mndwi: flat(-4000), ndbi: flat(500), bsi: flat(1500) };
  classifyBlock({ pixels, series, clear: new Uint16Array(pixels).fill(20), outputs, params: { core } });
  return outputs.labels;
}

it.skipIf(!isThere)('maps a real forest that sheds its leaves as trees, not as a kharif crop', async () => {
  const reference = await read(REF, (n) => new Uint8Array(n));
  const seen = await acquisitions();
  for (const year of [2015, 2016]) {
    const labels = classify(seen, year, reference.length);
    const forest = labels.filter((_, i) => reference[i] === FOREST);
    const share = (codes: readonly number[]): number =>
      forest.filter((code) => codes.includes(code)).length / forest.length;
    console.log(`real forest ${year}: trees ${share([6]).toFixed(2)}, one crop ${share([8, 9]).toFixed(2)}`);
    // Before the rule of forest that sheds: trees 0.57 and one crop 0.14 in 2015.
    expect(share([6])).toBeGreaterThan(0.6);
    expect(share([8, 9])).toBeLessThan(0.1);
  }
});
