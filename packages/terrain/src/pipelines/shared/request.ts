import {
  eoAccountField,
  invalidField,
  type Need,
  type Pipeline,
  placeFields,
  type Place,
  type ResolvePorts,
  resolvePlace,
} from '@headwater/core';
import { searchBox } from '@headwater/core/places';
import { z } from 'zod';

/** What every terrain layer asks for: a tehsil by its names, and the account that pays. */
export const terrainRequest = z.object({ ...placeFields, ...eoAccountField });

/** A request for a terrain layer, names as given. */
export type TerrainRequest = Readonly<z.infer<typeof terrainRequest>>;

/** Resolved parameters, as stored in a run. */
export const terrainParams = z.object({ tehsilId: z.int(), eoAccountId: z.int() });

/** Parameters of a run of a terrain layer. */
export type TerrainParams = Readonly<z.infer<typeof terrainParams>>;

/** A pipeline of a terrain layer. */
export type TerrainPipeline = Pipeline<TerrainRequest, TerrainParams>;

const EXAMPLE: TerrainRequest = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
};

/** What the pipelines of all terrain layers share; the name is the route. `version` counts up when the results of a method change. */
export function terrainBasics(name: string, version: string) {
  return {
    name,
    route: name,
    aliases: [],
    examples: [
      { name: 'start', request: EXAMPLE },
      { name: 'wait', request: EXAMPLE },
    ],
    keywords: ['terrain'],
    request: terrainRequest,
    resolve: resolveTerrain,
    params: terrainParams,
    fingerprint: ({ tehsilId, eoAccountId }) => [name, version, tehsilId, eoAccountId].join(':'),
  } as const satisfies Partial<TerrainPipeline>;
}

/** Parameters of a request, checked against what exists: throws `not_found` and `validation` errors that name the field. */
export async function resolveTerrain(request: TerrainRequest, ports: ResolvePorts): Promise<TerrainParams> {
  const { tehsil } = await resolvePlace(request, ports);
  return { tehsilId: tehsil.id, eoAccountId: request.eoAccountId };
}

/** The same, refused for a place without micro-watersheds. */
export async function resolveWithMws(request: TerrainRequest, ports: ResolvePorts): Promise<TerrainParams> {
  const params = await resolveTerrain(request, ports);
  const mws = await ports.places.mwsOf(params.tehsilId);
  if (mws.length > 0) return params;
  throw invalidField('tehsil', `${request.tehsil} has no micro-watersheds; ${ports.remedies.placeData}`);
}

/** The place of a run, or an error that it is gone. */
export async function placeOf(tehsilId: number, places: Pick<ResolvePorts['places'], 'placeOfTehsil'>): Promise<Place> {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined) throw new Error(`tehsil ${tehsilId} is gone`);
  return place;
}

/** That a layer cannot be made without elevations of all of the place. */
export async function demNeeds(
  { tehsilId }: TerrainParams,
  { places }: Pick<ResolvePorts, 'places'>,
): Promise<readonly Need[]> {
  const { geometry } = (await placeOf(tehsilId, places)).tehsil;
  if (geometry === null) return [];
  return [{ kind: 'dem', box: searchBox(geometry, await places.mwsOf(tehsilId)) }];
}
