import { yearFields } from '@headwater/core';
import { placeParams, placeRequest } from '@headwater/layer-kit';
import { z } from 'zod';

/** What land cover on terrain asks for: a tehsil by its names, hydrological years, and the account that pays. */
export const terrainLulcRequest = z.object({ ...placeRequest.shape, ...yearFields });

/** A request for land cover on terrain, names as given. */
export type TerrainLulcRequest = Readonly<z.infer<typeof terrainLulcRequest>>;

/** Resolved parameters, as stored in a run. */
export const terrainLulcParams = z.object({ ...placeParams.shape, startYear: z.int(), endYear: z.int() });

/** Parameters of a run. */
export type TerrainLulcParams = Readonly<z.infer<typeof terrainLulcParams>>;
