import { DomainError } from '@headwater/core/errors';
import type { PairArea, ZonalPairs, ZonalPairsRequest } from '@headwater/core/ports';
import type { PixelGrid, WorkContext } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import type { Coverage } from './coverage-runs.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { M2_PER_HA } from './zonal.ts';
import { checkZonal, coverZones, sumZones } from './zone-strips.ts';

/**
 * Area (ha) of each pair of classes in each zone, weighted as in `zonal`. A pair is the class in `by` and the class in
 * `path`. Throws `input_data` unless both files are uint8 in EPSG:4326 with the same grid (up to rounding).
 */
export async function zonalPairs({ path, by, zones }: ZonalPairsRequest, context: WorkContext): Promise<ZonalPairs> {
  const file = await openRaster(path, { signal: context.signal });
  try {
    const other = await openRaster(by, { signal: context.signal });
    try {
      checkPair(file, other);
      const coverage = coverZones(zones, file.grid);
      return await sumPairs({ file, other, coverage }, context);
    } finally {
      other.close();
    }
  } finally {
    file.close();
  }
}

/**
 * Largest difference of equal corners, degrees (0.1 mm). Corners may differ, because programs round the coordinates
 * that they write.
 */
const ROUNDED = 1e-9;

function isSameUpToRounding(a: PixelGrid, b: PixelGrid): boolean {
  if (a.crs !== b.crs || a.cols !== b.cols || a.rows !== b.rows) return false;
  const [from, to] = [cornersOf(a), cornersOf(b)];
  return from.every((side, k) => Math.abs(side - to[k]!) < ROUNDED);
}

const cornersOf = ({ west, north, cols, rows, pixelWidth, pixelHeight }: PixelGrid): readonly number[] => [
  west,
  north,
  west + cols * pixelWidth,
  north - rows * pixelHeight,
];

function checkPair(file: RasterFile, other: RasterFile): void {
  for (const each of [file, other]) checkZonal(each, 'areas of pairs', ['uint8']);
  if (isSameUpToRounding(file.grid, other.grid)) return;
  throw new DomainError(
    'input_data',
    `${other.href}: its grid is not that of ${file.href}; convert it to that grid (\`gdalwarp\` with -t_srs, -te and -ts), or write both with writeCog on one grid`,
  );
}

async function sumPairs(
  { file, other, coverage }: { file: RasterFile; other: RasterFile; coverage: ReturnType<typeof coverZones> },
  context: WorkContext,
): Promise<ZonalPairs> {
  const rowAreas = pixelAreasM2(file.grid);
  const row = new PairRow();
  const sums = await sumZones({ file, coverage, make: () => new Map<number, number>() }, context, async (strip) => {
    const { window } = strip;
    const [values, others] = [new Uint8Array(window.cols * window.rows), new Uint8Array(window.cols * window.rows)];
    await file.readWindow(window, values);
    await other.readWindow(window, others);
    const pairs = Uint16Array.from(values, (value, i) => (others[i]! << 8) | value);
    for (const part of strip.parts) row.addAll(part, { ...window, pairs }, rowAreas);
  });
  return Object.fromEntries([...sums].map(([id, m2]) => [id, listOf(m2)]));
}

/** Pairs as (class in `by`) x 256 + (class in `path`), row-major. */
interface PairWindow extends PixelWindow {
  readonly pairs: Uint16Array;
}

/** Covered fractions of each pair in one row of one zone. They are reset to zero after each row. */
class PairRow {
  readonly #shares = new Float64Array(65_536);
  readonly #pairs = new Uint16Array(65_536);
  #count = 0;

  /** Adds the rows of a window to the areas of a zone (m2, by pair). */
  addAll(
    { coverage, sums }: { readonly coverage: Coverage; readonly sums: Map<number, number> },
    window: PairWindow,
    rowAreas: Float64Array,
  ): void {
    const first = Math.max(coverage.top, window.row);
    const last = Math.min(coverage.top + coverage.rows, window.row + window.rows);
    for (let row = first; row < last; row += 1) {
      this.#gather(coverage, window, row);
      this.#flush(sums, rowAreas[row]!);
    }
  }

  #gather(coverage: Coverage, window: PairWindow, row: number): void {
    const base = (row - window.row) * window.cols - window.col;
    const end = coverage.start[row - coverage.top + 1]!;
    for (let run = coverage.start[row - coverage.top]!; run < end; run += 1) {
      const fraction = coverage.fraction[run]!;
      for (let at = base + coverage.from[run]!; at < base + coverage.to[run]!; at += 1) {
        const pair = window.pairs[at]!;
        const share = this.#shares[pair]!;
        if (share === 0) this.#pairs[this.#count++] = pair;
        this.#shares[pair] = share + fraction;
      }
    }
  }

  #flush(sums: Map<number, number>, area: number): void {
    for (let i = 0; i < this.#count; i += 1) {
      const pair = this.#pairs[i]!;
      sums.set(pair, (sums.get(pair) ?? 0) + this.#shares[pair]! * area);
      this.#shares[pair] = 0;
    }
    this.#count = 0;
  }
}

/**
 * Areas up to this are left out, m2. Because of rounding, a border along pixel edges also covers up to 1e-9 of the
 * neighbouring pixels.
 */
const DUST = 1e-3;

function listOf(m2: ReadonlyMap<number, number>): PairArea[] {
  return [...m2]
    .filter(([, area]) => area > DUST)
    .toSorted(([a], [b]) => a - b)
    .map(([pair, area]) => ({ by: pair >> 8, value: pair & 255, areaHa: area / M2_PER_HA }));
}
