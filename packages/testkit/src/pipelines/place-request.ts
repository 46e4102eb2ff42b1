import { eoAccountField, type Pipeline, placeFields, resolvePlace } from '@headwater/core';
import { z } from 'zod';

const request = z.object({ ...placeFields, ...eoAccountField });
const params = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** A place, by its names, and the account on whose behalf is computed. */
export type PlaceRequest = Readonly<z.infer<typeof request>>;
/** The same as it is stored with the run. */
export type PlaceParams = Readonly<z.infer<typeof params>>;

/** A request that works where the suites run. */
export const SAMPLE_REQUEST: PlaceRequest = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
};

/** Members of pipelines that ask for a place and an account, and nothing else. */
export const PLACE_PIPELINE = {
  aliases: [],
  request,
  params,
  resolve: async (asked, ports) => {
    const { tehsil } = await resolvePlace(asked, ports);
    return { tehsilId: tehsil.id, eoAccountId: asked.eoAccountId };
  },
  fingerprint: ({ tehsilId }) => String(tehsilId),
} satisfies Partial<Pipeline<PlaceRequest, PlaceParams>>;
