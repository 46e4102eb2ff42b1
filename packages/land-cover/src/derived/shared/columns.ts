import type { TableColumn } from '@headwater/core';
import type { ColumnInput, NonEmpty } from '@headwater/stac';

const TYPES = { text: 'object', list: 'object', number: 'float64', integer: 'int64' } as const;

/** Columns of the sheets and layers by micro-watershed, first of all. */
export const UID: TableColumn = {
  name: 'uid',
  type: 'text',
  description: 'Identifier of the micro-watershed (MWS); joins with every other MWS layer and sheet',
};

/** Spherical, as every layer has it. */
export const AREA: TableColumn = {
  name: 'area_in_ha',
  type: 'number',
  unit: 'ha',
  description: 'Area of the micro-watershed in hectares, on the authalic sphere',
};

/** A column of hectares. */
export const hectares = (name: string, description: string): TableColumn => ({
  name,
  type: 'number',
  unit: 'ha',
  description,
});

/** Columns of a layer as its Item tells them, the geometry last. */
export function columnInputs(columns: readonly TableColumn[], geometry: string): NonEmpty<ColumnInput> {
  const inputs = columns.map(({ name, type, description }): ColumnInput => ({ name, type: TYPES[type], description }));
  const last: ColumnInput = { name: 'geometry', type: 'geometry', description: geometry };
  const [first, ...others] = inputs;
  return first === undefined ? [last] : [first, ...others, last];
}

/** A hydrological year as sheets name it: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;
