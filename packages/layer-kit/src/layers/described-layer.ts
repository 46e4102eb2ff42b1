import { featureGeometry, type Mws, type Outline, sphericalAreaHa, type Village } from '@headwater/core';
import type { Feature, MultiPolygon } from 'geojson';
import { villageProperties } from '@headwater/core/pipelines';
import { type LayerAbout, membersOf } from '../items/about.ts';
import type { ItemWork } from '../run/work.ts';
import { stepsLegend } from '../styles/vector-style.ts';
import type { FeatureRow } from './described-columns.ts';
import type { LayerPlacement, RunOutput } from './layer-output.ts';
import { publishRasterLayer, type RasterLayerDraft } from './raster-layer.ts';
import { publishVectorLayer, type VectorLayerDraft } from './vector-layer.ts';

/** A layer of a place, as its pipeline describes it. */
export interface DescribedLayer extends LayerPlacement {
  readonly about: LayerAbout;
}

/** A raster layer to publish; its COG is already written. */
export type RasterDraft = DescribedLayer & Omit<RasterLayerDraft, 'members'>;

/** A vector layer to publish, with feature properties `Row`. */
export interface VectorDraft<Row extends FeatureRow = FeatureRow>
  extends DescribedLayer, Omit<VectorLayerDraft<Row>, 'members'> {
  /** Description of the preview. Default: title of the style. */
  readonly preview?: string;
}

/** A layer of all micro-watersheds of a place with properties `Row`. */
export interface MwsDraft<Row extends FeatureRow = FeatureRow> extends Omit<VectorDraft<Row>, 'features' | 'geometry'> {
  /** Properties of each micro-watershed: `rows[i]` is for `work.job.mws[i]`. */
  readonly rows: readonly Row[];
  /** Description of the geometry. */
  readonly geometry?: string;
}

/** Publishes a raster layer with its Item. */
export const publishRaster = ({ about, ...draft }: RasterDraft, work: ItemWork): Promise<RunOutput> =>
  publishRasterLayer({ ...draft, members: membersOf(about, work) }, work);

/** Publishes a vector layer with its Item. */
export function publishVector<Row extends FeatureRow>(draft: VectorDraft<Row>, work: ItemWork): Promise<RunOutput> {
  const { about, preview, style, ...parts } = draft;
  const steps = style && { style, shown: { description: preview ?? style.title, legend: stepsLegend(style) } };
  return publishVectorLayer<Row>({ ...steps, ...parts, members: membersOf(about, work) }, work);
}

/** Publishes the outlines of the micro-watersheds with properties. */
export function publishMws<Row extends FeatureRow>(
  {
    rows,
    geometry = 'Outline of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
    ...draft
  }: MwsDraft<Row>,
  work: ItemWork,
): Promise<RunOutput> {
  const features = work.job.mws.map((mws, index): Feature<MultiPolygon, Row> => {
    const properties = rows[index];
    if (properties === undefined)
      throw new RangeError(`micro-watershed ${index} has no row of attributes; give one row for each micro-watershed`);
    return { type: 'Feature', properties, geometry: featureGeometry(mws.geometry) };
  });
  return publishVector<Row>({ ...draft, features, geometry }, work);
}

/** Makes a polygon feature. */
export const featureOf = <P>(outline: Outline, properties: P) => ({
  type: 'Feature' as const,
  properties,
  geometry: featureGeometry(outline),
});

/** Makes the boundary feature of a micro-watershed. The area is in hectares on the authalic sphere. */
export const mwsFeature = ({ geometry, uid }: Pick<Mws, 'uid' | 'geometry'>) =>
  featureOf(geometry, { uid, area_in_ha: sphericalAreaHa(geometry) });

/** Makes the boundary feature of a village. The area is in hectares on the authalic sphere. */
export const villageFeature = ({ geometry, ...village }: Pick<Village, 'id' | 'name' | 'geometry'>) =>
  featureOf(geometry, { ...villageProperties(village), area_in_ha: sphericalAreaHa(geometry) });
