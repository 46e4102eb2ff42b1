import { eoAccountField, placeFields, resolvePlace, type ResolvePorts } from '@headwater/core';
import { z } from 'zod';

/** What most layers ask for: a tehsil by its names, and the account on whose behalf is computed. */
export const placeRequest = z.object({ ...placeFields, ...eoAccountField });

/** A request for a layer of a place, names as given. */
export type PlaceRequest = Readonly<z.infer<typeof placeRequest>>;

/** Resolved parameters, as stored in a run. */
export const placeParams = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Parameters of a run of a layer of a place. */
export type PlaceParams = Readonly<z.infer<typeof placeParams>>;

/** The place of the conformance suites, for examples of requests. */
export const EXAMPLE_PLACE = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
} as const satisfies PlaceRequest;

/** Examples of a request for the example place with these further fields: one is started, one is waited for. */
export const placeExamples = <F extends object>(fields: F) =>
  [
    { name: 'start', request: { ...EXAMPLE_PLACE, ...fields } },
    { name: 'wait', request: { ...EXAMPLE_PLACE, ...fields } },
  ] as const;

/** Parameters of a request, checked against what exists: throws what `resolvePlace` throws. */
export async function resolvePlaceParams(request: PlaceRequest, ports: ResolvePorts): Promise<PlaceParams> {
  const { tehsil } = await resolvePlace(request, ports);
  return { tehsilId: tehsil.id, eoAccountId: request.eoAccountId };
}
