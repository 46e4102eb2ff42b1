import type { PipelineContext, PixelEngine } from '@headwater/core';
import { type Design } from '../assess/assessment.ts';
import { majorityLabel, mappedLabel } from '../assess/majority.ts';
import { Tally } from '../assess/tally.ts';
import { labelKey, type Legend, LegendSide, UNMAPPED } from '../legend/legend.ts';
import type { StoredLabel } from './request.ts';

/** Result of comparing labels with a layer. */
export interface Compared {
  readonly design: Design;
  readonly tally: Tally;
  /** Number of polygons without a pixel centre. */
  readonly tooSmall: number;
  /** Number of labels that are ignored because an equal label has the same geometry. */
  readonly repeated: number;
}

interface Layer {
  readonly path: string;
  readonly pixels: Pick<PixelEngine, 'valuesIn' | 'gridOf' | 'zonal'>;
  readonly legend: Legend;
}

type Work = Pick<PipelineContext, 'signal'> & { readonly progress: (share: number) => void };

/** Maximum number of pixels of all labels, because these pixels are held in memory. */
const MOST_PIXELS = 2_000_000;

/** Reads the layer at every label and counts agreements. Throws `input_data` for polygons with too many pixels. */
export async function compareLabels(
  { path, pixels, legend }: Layer,
  { labels: stored, way }: { readonly labels: readonly StoredLabel[]; readonly way: 'majority' | 'pixels' },
  work: Work,
): Promise<Compared> {
  const labels = [
    ...new Map(stored.map((each) => [JSON.stringify([labelKey(each.label), each.geometry]), each])).values(),
  ];
  const geometries = labels.map(({ geometry }) => geometry);
  const { values, starts } = await pixels.valuesIn({ path, geometries, most: MOST_PIXELS }, work);
  const [side, tally] = [new LegendSide(legend, 'map'), new Tally(legend)];
  let tooSmall = 0;
  for (const [i, { label }] of labels.entries()) {
    const found = values.subarray(starts[i] ?? 0, starts[i + 1] ?? 0);
    if (found.length === 0) tooSmall += 1;
    else if (way === 'majority') tally.add({ reference: label, mapped: majorityLabel(found, side) });
    else for (const value of found) tally.add({ reference: label, mapped: mappedLabel(value) });
  }
  const hasPolygons = geometries.some(({ type }) => type !== 'Point');
  return {
    design: !hasPolygons ? 'points' : way === 'pixels' ? 'polygon-pixels' : 'polygons',
    tally,
    tooSmall,
    repeated: stored.length - labels.length,
  };
}

/** Returns the hectares (on the ellipsoid) of each class on the whole layer, by legend index. */
export async function mappedHectares(
  { path, pixels, legend }: Layer,
  work: Work,
): Promise<ReadonlyMap<number, number>> {
  const grid = await pixels.gridOf(path);
  const [east, south] = [grid.west + grid.cols * grid.pixelWidth, grid.north - grid.rows * grid.pixelHeight];
  const ring = [
    [grid.west, south],
    [east, south],
    [east, grid.north],
    [grid.west, grid.north],
    [grid.west, south],
  ];
  const zones = [{ id: 'all', geometry: { type: 'Polygon' as const, coordinates: [ring] } }];
  const { all = [] } = await pixels.zonal({ path, zones }, work);
  const side = new LegendSide(legend, 'map');
  const hectares = new Map<number, number>();
  for (const [value, area] of all.entries()) {
    const place = side.placeOf(value);
    if (area > 0 && value !== grid.nodata && place < UNMAPPED) hectares.set(place, (hectares.get(place) ?? 0) + area);
  }
  return hectares;
}
