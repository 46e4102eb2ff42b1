import { type Mws, sphericalAreaHa, type TableColumn } from '@headwater/core';
import { describedColumns, MWS_UID, type Sheet } from '@headwater/layer-kit';
import type { Feature, MultiLineString } from 'geojson';
import { drainageDensity } from '../../zones/drainage-density.ts';
import type { FoundLines } from './find-lines.ts';

/** Name of the attribute with the Strahler order, in the spelling that clients of the existing service read. */
export const ORDER = 'ORDER';

/** Attributes of a line. */
export type LineRow = {
  readonly line_id: number;
  readonly [ORDER]: number;
  readonly length_m: number;
  readonly upstream_area_ha: number;
  readonly upstream_cells: number;
  readonly downstream_line_id: number | null;
};

/** Columns of the layer. */
export const LINE_COLUMNS = describedColumns<LineRow>()({
  line_id: { type: 'integer', description: 'Number of the line in this layer' },
  [ORDER]: { type: 'integer', description: 'Strahler order' },
  length_m: { type: 'number', unit: 'm', description: 'Length within the layer on the ellipsoid, metres' },
  upstream_area_ha: {
    type: 'number',
    unit: 'ha',
    description: 'Land that drains through the last pixel of the line, within the elevations that were read, hectares',
  },
  upstream_cells: {
    type: 'integer',
    description: 'Number of pixels of the elevation model that drain through the last pixel of the line',
  },
  downstream_line_id: {
    type: 'integer',
    description: 'Number of the line that this line flows into; null if that line is outside of the layer',
  },
});

/** A feature per drainage line. */
export function lineFeatures({ lines }: FoundLines): readonly Feature<MultiLineString, LineRow>[] {
  return lines.map(({ id, order, downstream, lengthMetres, upstreamCells, upstreamHectares, pieces }) => ({
    type: 'Feature',
    properties: {
      line_id: id,
      [ORDER]: order,
      length_m: lengthMetres,
      upstream_area_ha: upstreamHectares,
      upstream_cells: upstreamCells,
      downstream_line_id: downstream,
    },
    geometry: { type: 'MultiLineString', coordinates: pieces },
  }));
}

const DENSITY_COLUMNS: readonly TableColumn[] = [
  MWS_UID,
  {
    name: 'drainage_density_std_in_km_per_km2',
    type: 'number',
    unit: 'km/km2',
    description:
      'Length of all streams per area, km per km2; 0 without a stream, null without elevation. The area is computed on the sphere, like area_in_ha of other sheets',
  },
  {
    name: 'drainage_density_weighted_in_km_per_km2',
    type: 'number',
    unit: 'km/km2',
    description:
      'Weighted density: the sum of the densities of orders 1 to 11, weighted by 60, 55, .. 10 parts of 385, times 100',
  },
  {
    name: 'stream_order_length_in_km',
    type: 'list',
    unit: 'km',
    description: 'Length of the streams of each order, 1 to 11, km',
  },
];

/**
 * Sheet `drainage_density`: a row with the densities of each micro-watershed, in the order of `mws`. The densities
 * are null without elevation.
 */
export function densityTable(mws: readonly Mws[], { metres, known }: Pick<FoundLines, 'metres' | 'known'>): Sheet {
  const rows = mws.map(({ uid, geometry }, index) => {
    const density = known[index] === true ? drainageDensity(metres[index] ?? [], sphericalAreaHa(geometry)) : undefined;
    return {
      uid,
      drainage_density_std_in_km_per_km2: density?.plain ?? null,
      drainage_density_weighted_in_km_per_km2: density?.weighted ?? null,
      stream_order_length_in_km: density?.kilometres ?? null,
    };
  });
  return { name: 'drainage_density', key: 'uid', columns: DENSITY_COLUMNS, rows };
}
