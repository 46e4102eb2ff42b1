import { eoAccountField, placeFields, resolvePlace, type ResolvePorts } from '@headwater/core';
import { z } from 'zod';

/** Request of most layers: a tehsil by its names, and the Earth-observation account for which the run computes. */
export const placeRequest = z.object({ ...placeFields, ...eoAccountField });

/** A request for a layer of a place, with the names of the place as the client sent them. */
export type PlaceRequest = Readonly<z.infer<typeof placeRequest>>;

/** Resolved parameters, as stored in a run. */
export const placeParams = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Parameters of a run of a layer of a place. */
export type PlaceParams = Readonly<z.infer<typeof placeParams>>;

/** The place in example requests and in the conformance suites. */
export const EXAMPLE_PLACE = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
} as const satisfies PlaceRequest;

/**
 * Makes two equal example requests for this place, with `fields`. The first only starts the run; the second is sent with `wait=true`, so
 * that it also waits for the end of the run.
 */
export const placeExamples = <F extends object>(fields: F) =>
  [
    { name: 'start', request: { ...EXAMPLE_PLACE, ...fields } },
    { name: 'wait', request: { ...EXAMPLE_PLACE, ...fields } },
  ] as const;

/** Determines the parameters of a request from existing data; throws the errors of `resolvePlace`. */
export async function resolvePlaceParams(request: PlaceRequest, ports: ResolvePorts): Promise<PlaceParams> {
  const { tehsil } = await resolvePlace(request, ports);
  return { tehsilId: tehsil.id, eoAccountId: request.eoAccountId };
}
