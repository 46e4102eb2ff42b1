import type { TableColumn } from '@headwater/core';

export { MWS_AREA as AREA, MWS_UID as UID } from '@headwater/core';

/** A column of hectares. */
export const hectares = (name: string, description: string): TableColumn => ({
  name,
  type: 'number',
  unit: 'ha',
  description,
});

/** A hydrological year as sheets name it: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;
