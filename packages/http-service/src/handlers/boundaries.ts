import { createHash } from 'node:crypto';
import {
  type LayerFeature,
  mwsFeature,
  placeSlug,
  type Stores,
  type TehsilNames,
  villageFeature,
} from '@headwater/core';
import { packedPieces } from '../compressing.ts';
import type { ServiceDeps } from '../deps.ts';
import { formPieces } from '../layers/wfs-form.ts';
import { chooseEncoding } from '../reading/accept-encoding.ts';
import type { Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { GEOMETRY_LAYERS, type GeometryLayer } from '../wire/geometry-layers.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';
import { knowsTag } from './conditions.ts';
import type { OgcRequest } from './layer-file.ts';

/** Whose boundaries are asked for. */
export type BoundaryUnits = keyof typeof GEOMETRY_LAYERS;

interface BoundaryRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly names: TehsilNames;
  readonly kind: BoundaryUnits;
}

/**
 * Boundaries of a tehsil as the directory has them, in the form that their layer would have: a feature is made as it is sent. The tag is
 * one of what is known, and weak: the time of the answer stands in it. Throws `not_found` where none are known.
 */
export async function boundaries(
  { stores, clock }: Pick<ServiceDeps, 'stores' | 'clock'>,
  { names, kind, method, headers }: BoundaryRequest,
): Promise<Reply> {
  const { district, tehsil, tehsilId } = names;
  const features = await featuresOf(stores, kind, tehsilId);
  const { absence, layerName, geometryName, properties }: GeometryLayer = GEOMETRY_LAYERS[kind];
  if (features.length === 0) throw absent(absence, { tehsil });
  const name = layerName(`${placeSlug(district)}_${placeSlug(tehsil)}`);
  const tag = tagOf(name, features);
  const common = { etag: `W/"${tag}"`, vary: 'Accept-Encoding', 'accept-ranges': 'none', 'cache-control': 'no-cache' };
  if (knowsTag(tag, headers) === true) return { status: 304, headers: common, body: undefined };
  const encoding = chooseEncoding(headers['accept-encoding']);
  const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  const all = { ...common, 'content-type': JSON_TYPE, ...encoded };
  if (method === 'HEAD') return { status: 200, headers: all, body: undefined };
  const made = function* (): Generator<LayerFeature> {
    for (const make of features) yield make();
  };
  const pieces = ReadableStream.from(formPieces({ layerName: name, geometryName, properties }, made(), clock.now()));
  const body = encoding === 'identity' ? pieces : ReadableStream.from(packedPieces(pieces, encoding));
  return { status: 200, headers: all, body };
}

/** How each feature is made, so that no two have to be there at a time. */
async function featuresOf(
  { places }: Pick<Stores, 'places'>,
  kind: BoundaryUnits,
  tehsilId: number,
): Promise<readonly (() => LayerFeature)[]> {
  if (kind === 'mws') return (await places.mwsOf(tehsilId)).map((mws) => () => mwsFeature(mws));
  return (await places.villagesOf(tehsilId)).map((village) => () => villageFeature(village));
}

function tagOf(name: string, features: readonly (() => LayerFeature)[]): string {
  const hash = createHash('sha256').update(name);
  for (const make of features) hash.update(JSON.stringify(make()));
  return hash.digest('base64url');
}
