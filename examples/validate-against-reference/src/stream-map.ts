import { ConfusionMatrix, type Label, type Legend, LegendSide, NODATA, Tally, UNMAPPED } from '@headwater/accuracy';
import { areaRuns, classBlocks, type ClassBlock, NO_CODE, type PixelCodes, type RasterFile } from '@headwater/raster';
import { DifferenceCells, Shrink, type Size } from './pictures.ts';
import type { Progress } from './progress-line.ts';

/** Result of reading a map once, with or without a reference raster. */
export interface Streamed {
  /** Counts of pairs of pixels by classes of the legend; empty without a reference. */
  readonly tally: Tally;
  /** Area of each class on the whole map, ha, by index in the legend. */
  readonly mappedHa: ReadonlyMap<number, number>;
  /** Area of each pair of classes, ha, by indexes in the legend. */
  readonly pairHa: ConfusionMatrix;
  /** For each pixel the index of its class in the legend, or 255. */
  readonly picture: { readonly size: Size; readonly places: Uint8Array };
  readonly differences: DifferenceCells;
}

const SIDE = 720;
const M2_PER_HA = 10_000;

/** Reads a map by blocks; counts areas and, with a reference raster, pairs of pixels. */
export async function streamMap(
  { map, reference }: { readonly map: RasterFile; readonly reference?: RasterFile },
  legend: Legend,
  progress: Progress,
): Promise<Streamed> {
  const source = classBlocks(map, reference);
  const [counts, hectares] = [new ConfusionMatrix(), new ConfusionMatrix()];
  const shrink = new Shrink(map.grid, SIDE);
  const places = new Uint8Array(shrink.size.cols * shrink.size.rows).fill(NODATA);
  const differences = new DifferenceCells(map.grid, SIDE);
  const sides = { map: new LegendSide(legend, 'map'), reference: new LegendSide(legend, 'reference') };
  let done = 0;
  for await (const block of source.blocks()) {
    counts.addPixels(block.reference, block.map);
    for (const { from, to, m2 } of areaRuns(map.grid, block.window))
      hectares.addPixels(block.reference.subarray(from, to), block.map.subarray(from, to), m2 / M2_PER_HA);
    drawMap(block, { shrink, places, ofCode: placesOfCodes(source.map, sides.map), full: map.grid });
    if (reference !== undefined) {
      const ofReference = placesOfCodes(source.reference, sides.reference);
      drawDifferences(block, differences, verdicts(ofReference, placesOfCodes(source.map, sides.map)));
    }
    done += block.map.length;
    progress(done / (map.grid.cols * map.grid.rows));
  }
  return {
    ...byLegend({ counts, hectares, source, legend, sides }),
    picture: { size: shrink.size, places },
    differences,
  };
}

function placesOfCodes(codes: PixelCodes, side: LegendSide): Uint8Array {
  const places = new Uint8Array(256).fill(NODATA);
  for (const [code, value] of codes.values.entries()) {
    const place = side.placeOf(value);
    places[code] = place === UNMAPPED ? NODATA : place;
  }
  return places;
}

interface Drawing {
  readonly shrink: Shrink;
  readonly places: Uint8Array;
  readonly ofCode: Uint8Array;
  readonly full: Size;
}

function drawMap({ window, map }: ClassBlock, { shrink, places, ofCode, full }: Drawing): void {
  const { size } = shrink;
  const middle = (index: number, from: number, to: number): number => Math.floor(((index + 0.5) * from) / to);
  const first = Math.floor((window.row * size.rows) / full.rows);
  const left = Math.floor((window.col * size.cols) / full.cols);
  for (let y = first; y < size.rows; y += 1) {
    const row = middle(y, full.rows, size.rows) - window.row;
    if (row >= window.rows) break;
    if (row < 0) continue;
    for (let x = left; x < size.cols; x += 1) {
      const col = middle(x, full.cols, size.cols) - window.col;
      if (col >= window.cols) break;
      if (col >= 0) places[y * size.cols + x] = ofCode[map[row * window.cols + col] ?? NO_CODE] ?? NODATA;
    }
  }
}

/** Result of each pair of codes, at `reference * 256 + map`: 0 = not compared, 1 = equal, 2 = different classes. */
function verdicts(ofReference: Uint8Array, ofMap: Uint8Array): Uint8Array {
  const table = new Uint8Array(256 * 256);
  for (let reference = 0; reference < 256; reference += 1) {
    for (let map = 0; map < 256; map += 1) {
      const [a, b] = [ofReference[reference] ?? NODATA, ofMap[map] ?? NODATA];
      if (a !== NODATA && b !== NODATA) table[reference * 256 + map] = a === b ? 1 : 2;
    }
  }
  return table;
}

function drawDifferences({ window, map, reference }: ClassBlock, cells: DifferenceCells, table: Uint8Array): void {
  const { compared, different, shrink } = cells;
  const columns = Int32Array.from({ length: window.cols }, (_, col) => shrink.at(window.col + col, 0));
  for (let row = 0; row < window.rows; row += 1) {
    const line = shrink.at(0, window.row + row);
    for (let col = 0, i = row * window.cols; col < window.cols; col += 1, i += 1) {
      const verdict = table[(reference[i]! << 8) | map[i]!]!;
      if (verdict === 0) continue;
      const at = line + columns[col]!;
      compared[at]! += 1;
      different[at]! += verdict - 1;
    }
  }
}

interface Counted {
  readonly counts: ConfusionMatrix;
  readonly hectares: ConfusionMatrix;
  readonly source: { readonly map: PixelCodes; readonly reference: PixelCodes };
  readonly legend: Legend;
  readonly sides: { readonly map: LegendSide; readonly reference: LegendSide };
}

function byLegend({
  counts,
  hectares,
  source,
  legend,
  sides,
}: Counted): Pick<Streamed, 'tally' | 'mappedHa' | 'pairHa'> {
  const tally = new Tally(legend);
  const mappedHa = new Map<number, number>();
  const pairHa = new ConfusionMatrix();
  const [mapped, referenced] = [source.map.values, source.reference.values];
  const placeOn = (side: LegendSide, label: Label | undefined): number =>
    label === undefined ? NODATA : side.placeOf(label);
  for (const pair of counts.pairs()) {
    const labels = { reference: referenced[pair.reference], mapped: mapped[pair.mapped] };
    if (referenced.length > 0)
      tally.add({ reference: labels.reference ?? null, mapped: labels.mapped ?? null }, pair.count);
    const [of, as] = [placeOn(sides.reference, labels.reference), placeOn(sides.map, labels.mapped)];
    const ha = hectares.count(pair.reference, pair.mapped);
    if (as < UNMAPPED) mappedHa.set(as, (mappedHa.get(as) ?? 0) + ha);
    if (as < UNMAPPED && of < UNMAPPED) pairHa.add(of, as, ha);
  }
  return { tally, mappedHa, pairHa };
}
