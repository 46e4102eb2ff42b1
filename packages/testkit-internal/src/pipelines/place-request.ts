import { eoAccountField, type Pipeline, placeFields, resolvePlace } from '@headwater/core';
import { z } from 'zod';

const request = z.object({ ...placeFields, ...eoAccountField });
const params = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Request for a place, with an Earth-observation account. */
export type PlaceRequest = Readonly<z.infer<typeof request>>;
/** Parameters that are stored with the run. */
export type PlaceParams = Readonly<z.infer<typeof params>>;

/** A request for the sample tehsil. */
export const SAMPLE_REQUEST: PlaceRequest = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
};

/** Members of pipelines whose only parameters are a place and an account. */
export const PLACE_PIPELINE = {
  aliases: [],
  request,
  params,
  resolve: async (place, ports) => {
    const { tehsil } = await resolvePlace(place, ports);
    return { tehsilId: tehsil.id, eoAccountId: place.eoAccountId };
  },
  fingerprint: ({ tehsilId }) => String(tehsilId),
} satisfies Partial<Pipeline<PlaceRequest, PlaceParams>>;
