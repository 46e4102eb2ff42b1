import { type Legend, LegendSide, majorityLabel, mappedLabel, type ReferenceLabel, Tally } from '@headwater/accuracy';
import { pixelsOfGeometries, type RasterFile, valuesAtPixels } from '@headwater/raster';
import { DifferenceCells } from './pictures.ts';
import type { Progress } from './progress-line.ts';

/** A label on the picture of the map, in pixels of the map. `isRight` is true if most of its samples agree. */
export interface Mark {
  readonly col: number;
  readonly row: number;
  readonly isRight: boolean;
}

/** Result of comparing labels with a map. */
export interface ComparedLabels {
  readonly design: 'points' | 'polygons' | 'polygon-pixels';
  readonly tally: Tally;
  readonly marks: readonly Mark[];
  readonly differences: DifferenceCells;
  /** Number of polygons that contain no pixel centre. */
  readonly tooSmall: number;
}

/** Sampling of polygons: one sample per polygon, or one per pixel. */
export type PolygonSampling = 'majority' | 'pixels';

/** Number of squares along the longer side of the picture. With more squares, many squares would contain no label. */
const SQUARES = 24;

/** Reads the map at every label and counts agreements. Throws `input_data` for polygons with too many pixels. */
export async function compareLabels(
  {
    map,
    labels,
    sampling,
  }: { readonly map: RasterFile; readonly labels: readonly ReferenceLabel[]; readonly sampling: PolygonSampling },
  legend: Legend,
  progress: Progress,
): Promise<ComparedLabels> {
  const geometries = labels.map(({ geometry }) => geometry);
  const pixels = pixelsOfGeometries(geometries, map.grid, { where: (index) => labels[index]?.where ?? '' });
  const values = await valuesAtPixels(map, pixels, progress);
  const [side, tally, marks] = [new LegendSide(legend, 'map'), new Tally(legend), [] as Mark[]];
  const differences = new DifferenceCells(map.grid, SQUARES);
  const hasPolygons = labels.some(({ geometry }) => geometry.type !== 'Point');
  let tooSmall = 0;
  for (const [i, { label }] of labels.entries()) {
    const [from, to] = [pixels.starts[i] ?? 0, pixels.starts[i + 1] ?? 0];
    if (from === to) tooSmall += 1;
    const found = values.subarray(from, to);
    const samples = sampling === 'pixels' ? [...found].map(mappedLabel) : [majorityLabel(found, side)];
    let [right, wrong] = [0, 0];
    for (const [k, mapped] of (from === to ? [] : samples).entries()) {
      const isRight = tally.add({ reference: label, mapped });
      if (isRight === undefined) continue;
      right += isRight ? 1 : 0;
      wrong += isRight ? 0 : 1;
      const at = sampling === 'pixels' ? from + k : middle(from, to);
      differences.add(pixels.cols[at] ?? 0, pixels.rows[at] ?? 0, isRight);
    }
    const at = middle(from, to);
    if (right + wrong > 0)
      marks.push({ col: (pixels.cols[at] ?? 0) + 0.5, row: (pixels.rows[at] ?? 0) + 0.5, isRight: right > wrong });
  }
  const design = !hasPolygons ? 'points' : sampling === 'pixels' ? 'polygon-pixels' : 'polygons';
  return { design, tally, marks, differences, tooSmall };
}

const middle = (from: number, to: number): number => Math.floor((from + to) / 2);
