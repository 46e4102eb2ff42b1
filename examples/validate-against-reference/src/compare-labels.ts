import { type Label, type Legend, LegendSide, type ReferenceLabel, Tally, UNMAPPED } from '@headwater/accuracy';
import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { Point } from 'geojson';
import { centreSpans, pointTransform, type RasterFile, type Span, valuesAtPixels } from '@headwater/raster';
import { DifferenceCells } from './pictures.ts';
import type { Progress } from './progress-line.ts';

/** A label on the picture of the map: pixels of the map, and whether the map is right there. */
export interface Mark {
  readonly col: number;
  readonly row: number;
  readonly isRight: boolean;
}

/** Labels held against a map. */
export interface ComparedLabels {
  readonly design: 'points' | 'polygons' | 'polygon-pixels';
  readonly tally: Tally;
  readonly marks: readonly Mark[];
  readonly differences: DifferenceCells;
  /** Polygons that hold no centre of a pixel. */
  readonly tooSmall: number;
}

/** How polygons are taken. */
export type PolygonWay = 'majority' | 'pixels';

/** Pixels that all polygons together may have. */
const MOST_PIXELS = 20_000_000;
/** Squares of the picture of differences along its longer side: points are few. */
const SQUARES = 24;

/** The pixels of each label, one after the other: label i has those from `starts[i]` to `starts[i + 1]`. */
interface LabelPixels {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
  readonly starts: readonly number[];
}

/** Reads the map at every label and counts what agrees. Throws `input_data` for polygons of too many pixels. */
export async function compareLabels(
  {
    map,
    labels,
    way,
  }: { readonly map: RasterFile; readonly labels: readonly ReferenceLabel[]; readonly way: PolygonWay },
  legend: Legend,
  progress: Progress,
): Promise<ComparedLabels> {
  const pixels = pixelsOf(labels, map);
  const values = await valuesAtPixels(map, pixels, progress);
  const [side, tally, marks] = [new LegendSide(legend, 'map'), new Tally(legend), [] as Mark[]];
  const differences = new DifferenceCells(map.grid, SQUARES);
  const hasPolygons = labels.some(({ geometry }) => geometry.type !== 'Point');
  let tooSmall = 0;
  for (const [i, { label }] of labels.entries()) {
    const [from, to] = [pixels.starts[i] ?? 0, pixels.starts[i + 1] ?? 0];
    if (from === to) tooSmall += 1;
    const found = values.subarray(from, to);
    const samples = way === 'pixels' ? [...found].map(mappedLabel) : [majority(found, side)];
    let [right, wrong] = [0, 0];
    for (const [k, mapped] of (from === to ? [] : samples).entries()) {
      const isRight = tally.add({ reference: label, mapped });
      if (isRight === undefined) continue;
      right += isRight ? 1 : 0;
      wrong += isRight ? 0 : 1;
      const at = way === 'pixels' ? from + k : middle(from, to);
      differences.add(pixels.cols[at] ?? 0, pixels.rows[at] ?? 0, isRight);
    }
    const at = middle(from, to);
    if (right + wrong > 0)
      marks.push({ col: (pixels.cols[at] ?? 0) + 0.5, row: (pixels.rows[at] ?? 0) + 0.5, isRight: right > wrong });
  }
  const design = !hasPolygons ? 'points' : way === 'pixels' ? 'polygon-pixels' : 'polygons';
  return { design, tally, marks, differences, tooSmall };
}

const middle = (from: number, to: number): number => Math.floor((from + to) / 2);

const mappedLabel = (value: number): Label | null => (Number.isNaN(value) ? null : value);

function pixelsOf(labels: readonly ReferenceLabel[], { grid }: RasterFile): LabelPixels {
  const pixelOf = pixelOfPoint(grid);
  const cols: number[] = [];
  const rows: number[] = [];
  const starts = [0];
  for (const { geometry, where } of labels) {
    const spans = geometry.type === 'Point' ? [pixelOf(geometry)] : centreSpans(geometry, grid);
    for (const { row, from, to } of spans) {
      if (cols.length + to - from > MOST_PIXELS) throw tooMany(where);
      for (let col = from; col < to; col += 1) {
        cols.push(col);
        rows.push(row);
      }
    }
    starts.push(cols.length);
  }
  return { cols: Int32Array.from(cols), rows: Int32Array.from(rows), starts };
}

/** The pixel that holds a point, as a span of one; outside of the grid one that it does not have. */
function pixelOfPoint(grid: PixelGrid): (point: Point) => Span {
  const toMap = pointTransform('EPSG:4326', grid.crs);
  return ({ coordinates: [lon = Number.NaN, lat = Number.NaN] }) => {
    const [x, y] = toMap(lon, lat);
    const col = Math.floor((x - grid.west) / grid.pixelWidth);
    const row = Math.floor((grid.north - y) / grid.pixelHeight);
    const isIn = col >= 0 && row >= 0 && col < grid.cols && row < grid.rows;
    return isIn ? { row, from: col, to: col + 1 } : { row: -1, from: -1, to: 0 };
  };
}

function tooMany(where: string): DomainError {
  return new DomainError(
    'input_data',
    `reference: ${where}: the polygons up to here cover more than ${MOST_PIXELS} pixels of the map; give smaller ones, or a raster made of them`,
  );
}

/** A value of the class that most pixels have; null where most have none. */
function majority(values: Float64Array, side: LegendSide): Label | null {
  const groups = new Map<number, { readonly label: Label | null; count: number }>();
  for (const value of values) {
    const label = mappedLabel(value);
    const place = label === null ? 255 : side.placeOf(label);
    // Values without a class stay apart, so that the most frequent is the one that is named.
    const key = place === UNMAPPED ? 1000 + value : place;
    const group = groups.get(key) ?? { label, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)[0]?.label ?? null;
}
