import type { TableColumn } from '@headwater/core';
import type { ColumnInput, NonEmpty } from '@headwater/stac';

/** Types of a sheet's columns as `table:columns` names them. */
const STAC_TYPES = { number: 'float64', integer: 'int64', text: 'object', list: 'object' } as const;

/** First column of sheets and layers by micro-watershed. */
export const UID: TableColumn = { name: 'uid', type: 'text', description: 'Micro-watershed' };

/** Spherical, as every layer has it. */
export const AREA: TableColumn = {
  name: 'area_in_ha',
  type: 'number',
  unit: 'ha',
  description: 'Area on the sphere, hectares',
};

/** `table:columns` of a layer whose attributes these are, the geometry last. */
export function columnInputs(columns: readonly TableColumn[], geometry: string): NonEmpty<ColumnInput> {
  const last: ColumnInput = { name: 'geometry', type: 'geometry', description: geometry };
  const [first, ...others] = columns.map(({ name, type, description }): ColumnInput => ({
    name,
    type: STAC_TYPES[type],
    description,
  }));
  return first === undefined ? [last] : [first, ...others, last];
}
