import { eoAccountField, placeFields, resolvePlace, type ResolvePorts } from '@headwater/core';
import { z } from 'zod';

/** Request of most layers: a tehsil by its names, and an Earth-observation account. */
export const placeRequest = z.object({ ...placeFields, ...eoAccountField });

/** A request for a layer, with the names of the place as sent. */
export type PlaceRequest = Readonly<z.infer<typeof placeRequest>>;

/** Resolved parameters, as stored in a run. */
export const placeParams = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Parameters of a run of a layer. */
export type PlaceParams = Readonly<z.infer<typeof placeParams>>;

/** The place in example requests and in the conformance suites. */
export const EXAMPLE_PLACE = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
} as const satisfies PlaceRequest;

/** Makes two equal example requests: one starts the run, the next waits for its end (`wait=true`). */
export const placeExamples = <F extends object>(fields: F) =>
  [
    { name: 'start', request: { ...EXAMPLE_PLACE, ...fields } },
    { name: 'wait', request: { ...EXAMPLE_PLACE, ...fields } },
  ] as const;

/** Determines the parameters of a request. Throws the errors of `resolvePlace`. */
export async function resolvePlaceParams(request: PlaceRequest, ports: ResolvePorts): Promise<PlaceParams> {
  const { tehsil } = await resolvePlace(request, ports);
  return { tehsilId: tehsil.id, eoAccountId: request.eoAccountId };
}
