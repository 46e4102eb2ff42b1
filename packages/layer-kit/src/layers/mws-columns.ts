import type { TableColumn } from '@headwater/core';
import type { ColumnInput, NonEmpty } from '@headwater/stac';

const TYPES = { text: 'object', list: 'object', number: 'float64', integer: 'int64' } as const;

/** Column of the micro-watershed's id, the first column of sheets and layers. */
export const MWS_UID = {
  name: 'uid',
  type: 'text',
  description: 'Identifier of the micro-watershed (MWS); joins with every other MWS layer and sheet',
} as const satisfies TableColumn;

/** Column of the micro-watershed's area on a sphere (`sphericalAreaHa`). */
export const MWS_AREA = {
  name: 'area_in_ha',
  type: 'number',
  unit: 'ha',
  description: 'Area of the micro-watershed in hectares, on the authalic sphere',
} as const satisfies TableColumn;

/** Makes a column of hectares. */
export const hectares = (name: string, description: string): TableColumn => ({
  name,
  type: 'number',
  unit: 'ha',
  description,
});

/** Makes `table:columns` of the layer's Item; the geometry is the last column. */
export function columnInputs(columns: readonly TableColumn[], geometry: string): NonEmpty<ColumnInput> {
  const inputs = columns.map(({ name, type, description }): ColumnInput => ({ name, type: TYPES[type], description }));
  const last: ColumnInput = { name: 'geometry', type: 'geometry', description: geometry };
  const [first, ...others] = inputs;
  return first === undefined ? [last] : [first, ...others, last];
}
