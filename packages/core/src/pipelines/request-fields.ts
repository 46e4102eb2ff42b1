import { z } from 'zod';

const placeName = z
  .string()
  .max(200, 'At most 200 characters.')
  .refine((name) => name.trim() !== '', { error: 'is blank; give a name', params: { rule: 'blank' } });

const year = z.int('A year is a whole number, e.g. 2022');

/** The names of a tehsil and of the two units above it, in any spelling. */
export const placeFields = { state: placeName, district: placeName, tehsil: placeName } as const;

/** First and last hydrological year (1 July Y .. 30 June Y+1), both included. */
export const yearFields = { startYear: year, endYear: year } as const;

/** The Earth-observation account on whose behalf is computed. */
export const eoAccountField = { eoAccountId: z.int() } as const;
