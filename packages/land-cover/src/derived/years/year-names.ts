import type { LulcParams } from '../../request/request.ts';

/** A hydrological year as sheets name it: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;

/** Hydrological years as descriptions of columns name them: a sheet whose names tell none says here of which it is. */
export const yearsText = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): string =>
  `hydrological years ${startYear} to ${endYear}`;
