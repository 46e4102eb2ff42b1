import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';

/** What a land-cover request asks for: a tehsil by its names, hydrological years, and the account that pays. */
export const lulcRequest = z.object({ ...placeFields, ...yearFields, ...eoAccountField });

/** A land-cover request, names as given. */
export type LulcRequest = Readonly<z.infer<typeof lulcRequest>>;

/** Resolved parameters of the land-cover pipeline, as stored in its run. */
export const lulcParams = z.object({ tehsilId: z.int(), startYear: z.int(), endYear: z.int(), eoAccountId: z.int() });

/** Parameters of a land-cover run. */
export type LulcParams = Readonly<z.infer<typeof lulcParams>>;

/** The same of a region: west, south, east, north in degrees. */
export const lulcRegionParams = z.object({
  region: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  startYear: z.int(),
  endYear: z.int(),
});

/** Parameters of a land-cover run: of a tehsil, or of a region. */
export const lulcRunParams = z.union([lulcParams, lulcRegionParams]);

/** Parameters of a land-cover run, of whichever place. */
export type LulcRunParams = LulcParams | Readonly<z.infer<typeof lulcRegionParams>>;
