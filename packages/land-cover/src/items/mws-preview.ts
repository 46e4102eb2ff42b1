import type { Mws } from '@headwater/core';
import { percentOf } from '@headwater/core/values';
import type { PreviewText, VectorLayerDraft } from '@headwater/layer-kit';
import type { ClassInput } from '@headwater/stac';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import { displayColor, LULC_CLASSES, type LulcClass } from '../classes/classes.ts';
import { type AreasByYear, mwsLayer, type MwsProperties, mwsStyle } from './mws-layer.ts';

/** Description and legend of a year's preview. The legend has the classes that occur, with their percentages. */
export function mwsPreview({ features }: FeatureCollection<MultiPolygon, MwsProperties>, year: number): PreviewText {
  const areas = LULC_CLASSES.map((each) => ({
    each,
    hectares: features.map(({ properties }) => areaOf(each, properties, year)),
  }));
  const totals = areas.map(({ each, hectares }) => ({ each, total: sum(hectares) }));
  const all = sum(totals.map(({ total }) => total));
  const [first, ...others] = totals
    .filter(({ total }) => total > 0)
    .map(({ each, total }): ClassInput => {
      const { code, name, title, description } = each;
      return { value: code, name, title, description, color: displayColor(each), percentage: percentOf(total, all) };
    });
  const description = `Each micro-watershed in the colour of its largest class in ${year}-${year + 1}. The percentages are shares of all micro-watersheds together.`;
  return { description, ...(first === undefined ? {} : { legend: [first, ...others] }) };
}

function areaOf({ columnPrefix }: LulcClass, properties: MwsProperties, year: number): number {
  return columnPrefix === null ? 0 : Number(properties[`${columnPrefix}${year}`] ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns a layer of class areas, without columns and names. The preview shows the last year. */
export function mwsVector(
  mws: readonly Mws[],
  areas: AreasByYear,
  lastYear: number,
): Pick<VectorLayerDraft, 'features' | 'geometry' | 'style' | 'shown'> {
  const layer = mwsLayer(mws, areas);
  return {
    features: layer.features,
    geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
    style: mwsStyle(layer, lastYear),
    shown: mwsPreview(layer, lastYear),
  };
}
