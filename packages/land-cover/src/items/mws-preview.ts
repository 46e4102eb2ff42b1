import type { Mws } from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import { PAPER, type PreviewText, type VectorLayerDraft } from '@headwater/layer-kit';
import type { ClassInput } from '@headwater/stac';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import { displayColor, LULC_CLASSES, type LulcClass } from '../classes/classes.ts';
import { type AreasByYear, mwsLayer, type MwsProperties, mwsStyle } from './mws-layer.ts';

/** Colours of the preview of the per-MWS layer, and its description. */
export interface MwsPreview {
  /** `#rrggbb` of each feature, in the order of the features. */
  readonly colors: readonly string[];
  /** Legend with the classes that occur and their shares over all micro-watersheds; absent if no class occurs. */
  readonly shown: PreviewText;
}

/**
 * Colours each micro-watershed by its largest class in a hydrological year. A micro-watershed without a class gets the background colour `PAPER`.
 */
export function mwsPreview({ features }: FeatureCollection<MultiPolygon, MwsProperties>, year: number): MwsPreview {
  const areas = LULC_CLASSES.map((each) => ({
    each,
    hectares: features.map(({ properties }) => areaOf(each, properties, year)),
  }));
  const totals = areas.map(({ each, hectares }) => ({ each, total: sum(hectares) }));
  const all = sum(totals.map(({ total }) => total));
  const colors = features.map((_feature, index) => {
    const [first] = areas.toSorted((a, b) => (b.hectares[index] ?? 0) - (a.hectares[index] ?? 0));
    return first === undefined || (first.hectares[index] ?? 0) === 0 ? PAPER : displayColor(first.each);
  });
  const [first, ...others] = totals
    .filter(({ total }) => total > 0)
    .map(({ each, total }): ClassInput => {
      const { code, name, title, description } = each;
      return { value: code, name, title, description, color: displayColor(each), percentage: percentOf(total, all) };
    });
  const description = `Each micro-watershed in the colour of its largest class in ${year}-${year + 1}. Shares are over all micro-watersheds together.`;
  return { colors, shown: { description, ...(first === undefined ? {} : { legend: [first, ...others] }) } };
}

function areaOf({ columnPrefix }: LulcClass, properties: MwsProperties, year: number): number {
  return columnPrefix === null ? 0 : Number(properties[`${columnPrefix}${year}`] ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the content of a layer of class areas, without columns and names. Its preview shows the last year. */
export function mwsVector(
  mws: readonly Mws[],
  areas: AreasByYear,
  lastYear: number,
): Pick<VectorLayerDraft, 'features' | 'geometry' | 'style' | 'colors' | 'shown'> {
  const layer = mwsLayer(mws, areas);
  return {
    features: layer.features,
    geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
    style: mwsStyle(layer, lastYear),
    ...mwsPreview(layer, lastYear),
  };
}
