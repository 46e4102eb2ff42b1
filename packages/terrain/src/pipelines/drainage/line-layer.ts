import { type Mws, sphericalAreaHa, type TableColumn } from '@headwater/core';
import { describedColumns, MWS_UID, type Sheet } from '@headwater/layer-kit';
import type { Feature, MultiLineString } from 'geojson';
import { drainageDensity } from '../../zones/drainage-density.ts';
import type { FoundLines } from './find-lines.ts';

/** Attribute with the Strahler order, spelled as in the CoRE Stack backend. */
export const ORDER = 'ORDER';

/** Attributes of a line. */
export type LineRow = {
  readonly line_id: number;
  readonly [ORDER]: number | null;
  readonly length_m: number;
  readonly upstream_area_ha: number | null;
  readonly upstream_cells: number | null;
  readonly downstream_line_id: number | null;
};

/** Columns of the layer. */
export const LINE_COLUMNS = describedColumns<LineRow>()({
  line_id: { type: 'integer', description: 'Number of the line in this layer' },
  [ORDER]: {
    type: 'integer',
    description: 'Strahler order; null if water from land that is not in the elevation model may reach the line',
  },
  length_m: { type: 'number', unit: 'm', description: 'Length within the layer on the ellipsoid, metres' },
  upstream_area_ha: {
    type: 'number',
    unit: 'ha',
    description:
      'Land that drains through the last pixel of the line, hectares; null if water from land that is not in the elevation model may reach the line',
  },
  upstream_cells: {
    type: 'integer',
    description:
      'Number of pixels of the elevation model that drain through the last pixel of the line; null if water from land that is not in the elevation model may reach the line',
  },
  downstream_line_id: {
    type: 'integer',
    description: 'Number of the line that this line flows into; null if that line is outside of the layer',
  },
});

/** Features of the drainage lines. */
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
      'Weighted density: the sum of the densities of orders 1 to 11, weighted by 60, 55, .. 10 parts of 385, times 100; null if the order of a stream is unknown',
  },
  {
    name: 'stream_order_length_in_km',
    type: 'list',
    unit: 'km',
    description: 'Length of the streams of each order, 1 to 11, km',
  },
  {
    name: 'unknown_order_length_in_km',
    type: 'number',
    unit: 'km',
    description:
      'Length, km, of the streams whose order is unknown because water from land outside of the elevation model may reach them. Included in the density, but not in the length of any order',
  },
];

/**
 * Sheet `drainage_density`, in the order of `mws`. Densities are null without elevation. The weighted density is also
 * null if the order of a stream is unknown.
 */
export function densityTable(
  mws: readonly Mws[],
  { metres, unknownMetres, known }: Pick<FoundLines, 'metres' | 'unknownMetres' | 'known'>,
): Sheet {
  const rows = mws.map(({ uid, geometry }, index) => {
    const unknown = unknownMetres[index] ?? 0;
    const hectares = sphericalAreaHa(geometry);
    const density = known[index] === true ? drainageDensity(metres[index] ?? [], hectares) : undefined;
    const more = drainageDensity([unknown], hectares).plain;
    return {
      uid,
      drainage_density_std_in_km_per_km2: density === undefined ? null : density.plain + more,
      drainage_density_weighted_in_km_per_km2: unknown > 0 ? null : (density?.weighted ?? null),
      stream_order_length_in_km: density?.kilometres ?? null,
      unknown_order_length_in_km: density === undefined ? null : unknown / 1000,
    };
  });
  return { name: 'drainage_density', key: 'uid', columns: DENSITY_COLUMNS, rows };
}
