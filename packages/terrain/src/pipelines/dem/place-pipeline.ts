import { invalidField, type Pipeline, type ResolvePorts } from '@headwater/core';
import {
  placeExamples,
  placeParams,
  type PlaceParams,
  placeRequest,
  type PlaceRequest,
  resolvePlaceParams,
} from '@headwater/layer-kit';

/** Common members of terrain pipelines. Increment the number in `method` when results change. */
export const terrainBasics = (name: string, method: string) => ({
  name,
  method,
  examples: placeExamples({}),
  keywords: ['terrain'],
  request: placeRequest,
  resolve: resolvePlaceParams,
  params: placeParams,
  fingerprint: ({ tehsilId, eoAccountId }: PlaceParams) => [name, method, tehsilId, eoAccountId].join(':'),
});

/** Resolves parameters; refuses a place without micro-watersheds. */
export async function resolveWithMws(request: PlaceRequest, ports: ResolvePorts): Promise<PlaceParams> {
  const params = await resolvePlaceParams(request, ports);
  const mws = await ports.places.mwsOf(params.tehsilId);
  if (mws.length > 0) return params;
  throw invalidField('tehsil', `${request.tehsil} has no micro-watersheds; ${ports.remedies.placeData}`);
}

/** A pipeline of a terrain layer. */
export type TerrainPipeline = Pipeline<PlaceRequest, PlaceParams>;
