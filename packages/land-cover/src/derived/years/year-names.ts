import type { LulcParams } from '../../request/request.ts';

/** Name of a hydrological year in sheets: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;

/** Text of hydrological years for descriptions of columns, for sheets whose column names have no year. */
export const yearsText = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): string =>
  `hydrological years ${startYear} to ${endYear}`;
