import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Plane } from '@headwater/core/pixel-plan';
import type { ScratchRaster, WorkContext } from '@headwater/core';
import type { ZonalMeans, ZonalMeansRequest } from '@headwater/core/ports';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { createPixels, typeOf } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { sourceCoordinates } from '../warp/coordinates.ts';
import { ScratchRows } from '../warp/scratch-rows.ts';
import type { Coverage } from './coverage-runs.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { checkZonal, coverZones, sumZones, type ZoneStrip } from './zone-strips.ts';

/**
 * Computes the mean of each scratch raster over groups of classes in each zone. Each class pixel gets the value of the
 * raster at its centre. Its weight is its area in the zone. Throws `input_data` unless the classes are uint8 in
 * EPSG:4326.
 */
export async function zonalMeans(
  request: ZonalMeansRequest,
  context: WorkContext,
  scratch: Pick<ScratchSpace, 'pathOf'>,
): Promise<ZonalMeans> {
  const { path, zones, rasters, groups } = request;
  const file = await openRaster(path, { signal: context.signal });
  try {
    checkZonal(file, 'means by class', ['uint8']);
    const names = Object.keys(groups);
    const input = { file, request, scratch, rowAreas: pixelAreasM2(file.grid), groupOf: groupTable(groups) };
    const make = (): GroupSums => new GroupSums(rasters.length, names.length);
    const coverage = coverZones(zones, file.grid);
    const sums = await sumZones({ file, coverage, make }, context, (strip) => addStrip(input, strip, context.signal));
    return Object.fromEntries(
      [...sums].map(([id, own]) => [id, Object.fromEntries(names.map((name, group) => [name, own.means(group)]))]),
    );
  } finally {
    file.close();
  }
}

function groupTable(groups: ZonalMeansRequest['groups']): Uint8Array {
  const table = new Uint8Array(256);
  for (const [index, codes] of Object.values(groups).entries()) for (const code of codes) table[code] = index + 1;
  return table;
}

interface SumInput {
  readonly file: RasterFile;
  readonly request: ZonalMeansRequest;
  readonly scratch: Pick<ScratchSpace, 'pathOf'>;
  readonly rowAreas: Float64Array;
  readonly groupOf: Uint8Array;
}

async function addStrip(
  { file, request, scratch, rowAreas, groupOf }: SumInput,
  { window, parts }: ZoneStrip<GroupSums>,
  signal: AbortSignal,
): Promise<void> {
  const classes = new Uint8Array(window.cols * window.rows);
  await file.readWindow(window, classes);
  const groups = classes.map((code) => groupOf[code]!);
  const values = new SampledRasters({ file, window, groups, nodata: request.nodata });
  for (const [index, raster] of request.rasters.entries()) {
    signal.throwIfAborted();
    const plane = await values.of(raster, scratch.pathOf(raster));
    const groupWindow = { ...window, plane, groups, nodata: request.nodata };
    for (const { coverage, sums } of parts) sums.add(coverage, groupWindow, { index, rowAreas });
    // Sampling and summing block the event loop, so other work can run here.
    await setImmediate();
  }
}

class SampledRasters {
  readonly #input: {
    readonly file: RasterFile;
    readonly window: PixelWindow;
    readonly groups: Uint8Array;
    readonly nodata: number;
  };
  /** Coordinates of the pixels by CRS. Rasters with the same CRS (all rasters of one plan) share them. */
  readonly #points = new Map<string, ReturnType<typeof sourceCoordinates>>();

  constructor(input: { file: RasterFile; window: PixelWindow; groups: Uint8Array; nodata: number }) {
    this.#input = input;
  }

  async of(raster: ScratchRaster, path: string): Promise<Plane> {
    const { file, window, groups, nodata } = this.#input;
    const { crs } = raster.grid;
    const points = this.#points.get(crs) ?? sourceCoordinates(file.grid, window, crs);
    this.#points.set(crs, points);
    const out: Plane = createPixels(typeOf(raster), groups.length);
    out.fill(nodata);
    const handle = await open(path, 'r');
    try {
      const rows = new ScratchRows(handle, raster);
      await rows.loadAround(points);
      rows.sample(points, 0, { touched: groups, out });
    } finally {
      await handle.close();
    }
    return out;
  }
}

interface GroupWindow extends PixelWindow {
  readonly plane: Plane;
  readonly groups: Uint8Array;
  readonly nodata: number;
}

/** Area with data (m2), and sum of value x area, for each raster and group. */
class GroupSums {
  readonly #groups: number;
  readonly #m2: Float64Array;
  readonly #sum: Float64Array;

  constructor(rasters: number, groups: number) {
    this.#groups = groups;
    this.#m2 = new Float64Array(rasters * groups);
    this.#sum = new Float64Array(rasters * groups);
  }

  add(
    coverage: Coverage,
    { plane, groups, nodata, ...window }: GroupWindow,
    { index, rowAreas }: { readonly index: number; readonly rowAreas: Float64Array },
  ): void {
    const before = index * this.#groups - 1;
    const first = Math.max(coverage.top, window.row);
    const last = Math.min(coverage.top + coverage.rows, window.row + window.rows);
    for (let row = first; row < last; row += 1) {
      const base = (row - window.row) * window.cols - window.col;
      const end = coverage.start[row - coverage.top + 1]!;
      for (let run = coverage.start[row - coverage.top]!; run < end; run += 1) {
        const weight = coverage.fraction[run]! * rowAreas[row]!;
        for (let at = base + coverage.from[run]!; at < base + coverage.to[run]!; at += 1) {
          const [group, value] = [groups[at]!, plane[at]!];
          if (group === 0 || value === nodata || !Number.isFinite(value)) continue;
          this.#m2[before + group]! += weight;
          this.#sum[before + group]! += weight * value;
        }
      }
    }
  }

  means(group: number): (number | null)[] {
    const count = this.#m2.length / this.#groups;
    return Array.from({ length: count }, (_, raster) => {
      const at = raster * this.#groups + group;
      const m2 = this.#m2[at]!;
      return m2 > 0 ? this.#sum[at]! / m2 : null;
    });
  }
}
