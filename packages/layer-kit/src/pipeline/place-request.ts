import { eoAccountField, placeFields, resolvePlace, type ResolvePorts } from '@headwater/core';
import { z } from 'zod';

/** Request of most layers: a tehsil by its names, and the account for which the run computes. */
export const placeRequest = z.object({ ...placeFields, ...eoAccountField });

/** A request for a layer of a place, with names as sent. */
export type PlaceRequest = Readonly<z.infer<typeof placeRequest>>;

/** Resolved parameters, as stored in a run. */
export const placeParams = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Parameters of a run of a layer of a place. */
export type PlaceParams = Readonly<z.infer<typeof placeParams>>;

/** The place of the conformance suites, for example requests. */
export const EXAMPLE_PLACE = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
} as const satisfies PlaceRequest;

/** Example requests for the example place with these further fields: one is only started, one also awaited. */
export const placeExamples = <F extends object>(fields: F) =>
  [
    { name: 'start', request: { ...EXAMPLE_PLACE, ...fields } },
    { name: 'wait', request: { ...EXAMPLE_PLACE, ...fields } },
  ] as const;

/** Parameters of a request, checked against existing data; throws the errors of `resolvePlace`. */
export async function resolvePlaceParams(request: PlaceRequest, ports: ResolvePorts): Promise<PlaceParams> {
  const { tehsil } = await resolvePlace(request, ports);
  return { tehsilId: tehsil.id, eoAccountId: request.eoAccountId };
}
