import { featureGeometry, type PublishedTable } from '@headwater/core';
import type { Feature, MultiPolygon } from 'geojson';
import type { Published } from './dem-run.ts';
import { type Attributes, type LayerTools, publishVector, type VectorDraft } from './vector-layer.ts';

/** A layer of micro-watersheds with attributes `Row`, with its sheet. */
export interface MwsDraft<Row extends Attributes = Attributes> extends Omit<
  VectorDraft<Row>,
  'features' | 'geometry' | 'ground' | 'tables'
> {
  /** Attributes of each micro-watershed of the place, in the place's order. */
  readonly rows: readonly Row[];
  readonly sheet: Pick<PublishedTable, 'name' | 'columns' | 'rows'>;
}

/** Publishes it (`publishVector`): the outlines with these attributes, and the sheet. */
export function publishMws<Row extends Attributes>(
  { rows, sheet, ...draft }: MwsDraft<Row>,
  tools: LayerTools,
): Promise<Published> {
  const features = tools.job.mws.map(({ geometry }, index): Feature<MultiPolygon, Row> => {
    const properties = rows[index];
    if (properties === undefined) throw new RangeError(`there are no attributes of micro-watershed ${index}`);
    return { type: 'Feature', properties, geometry: featureGeometry(geometry) };
  });
  const geometry = 'Outline of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)';
  return publishVector<Row>({ ...draft, features, geometry, tables: [{ ...sheet, key: 'uid' }] }, tools);
}
