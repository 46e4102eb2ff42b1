import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';

/** A land-cover request: a tehsil by its names, hydrological years, and the account to use. */
export const lulcRequest = z.object({ ...placeFields, ...yearFields, ...eoAccountField });

/** A land-cover request, with the names of the place as the client sent them. */
export type LulcRequest = Readonly<z.infer<typeof lulcRequest>>;

/** Resolved parameters of the land-cover pipeline, as stored in its run. */
export const lulcParams = z.object({ tehsilId: z.int(), startYear: z.int(), endYear: z.int(), eoAccountId: z.int() });

/** Parameters of a land-cover run. */
export type LulcParams = Readonly<z.infer<typeof lulcParams>>;

/** Resolved parameters for a region: west, south, east, north in degrees. */
export const lulcRegionParams = z.object({
  region: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  startYear: z.int(),
  endYear: z.int(),
});

/** Parameters of a land-cover run: of a tehsil, or of a region. */
export const lulcRunParams = z.union([lulcParams, lulcRegionParams]);

/** Parameters of a land-cover run for any place. */
export type LulcRunParams = LulcParams | Readonly<z.infer<typeof lulcRegionParams>>;
