import { z } from 'zod';

const placeName = z
  .string()
  .max(200, 'At most 200 characters.')
  .refine((name) => name.trim() !== '', { error: 'is blank; give a name', params: { rule: 'blank' } });

const year = z.int('A year is an integer, e.g. 2022');

/** Fields with the names of a tehsil, its district and its state, in any spelling with an equal slug. */
export const placeFields = {
  state: placeName.describe('Name of the state, in any spelling of the place directory.'),
  district: placeName.describe('Name of a district of this state.'),
  tehsil: placeName.describe('Name of a tehsil (block) of this district.'),
} as const;

/** Fields for the first and last hydrological year (year Y is 1 July Y to 30 June Y+1), both included. */
export const yearFields = {
  startYear: year.describe('First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023.'),
  endYear: year.describe('Last hydrological year, which is included; the year must have ended.'),
} as const;

/** Field for the Earth-observation account of the run. */
export const eoAccountField = {
  eoAccountId: z.int().describe('Id of the Earth-observation account whose platform and credentials the run uses.'),
} as const;
