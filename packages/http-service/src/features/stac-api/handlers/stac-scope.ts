import { findPlace, isPlainPlaceName } from '@headwater/core/places';
import { isObject } from '@headwater/core/values';
import { placeSlug, type PublishedItem } from '@headwater/core';
import { idSlug, MEDIA } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { whyAbsent } from '../../../items/known-places.ts';
import { absent } from '../../../wire/absent.ts';
import { badMember, RequestError } from '../../../wire/request-error.ts';
import { LAYER_TYPES, NEEDED } from '../schemas/stac-scope.ts';
import { sentences } from '../../../wire/sentences.ts';
import { publishedPath } from './collection-tree.ts';
import { collectionOf, rootCatalog } from './stac-documents.ts';

/** Names of a place in a query. '' and undefined count as absent. */
export interface Scope {
  readonly state?: string | undefined;
  readonly district?: string | undefined;
  readonly block?: string | undefined;
  readonly tehsil?: string | undefined;
}

/**
 * Document of the deepest named place. Default: the root catalogue. Throws `not_found`, and `validation` if a level is
 * missing.
 */
export async function scopeDocument(
  deps: Ports<'baseUrl' | 'canCompute' | 'itemForm' | 'pipelines' | 'publication' | 'stores'>,
  scope: Scope,
): Promise<object> {
  const names = namesOf(scope);
  if (names.length === 0) return rootCatalog(deps);
  const isName = names.every((name) => isPlainPlaceName(name) && placeSlug(name) !== '');
  const wanted = names.map(placeSlug).join('/');
  const path = isName ? publishedPath(await deps.stores.catalog.collections(), wanted) : undefined;
  if (path === undefined) throw absent('scope', isName ? await whyAbsent(deps, wanted.split('/')) : {});
  return collectionOf(deps, path.split('/'));
}

function namesOf({ state = '', district = '', block = '', tehsil = '' }: Scope): readonly string[] {
  const third = block.trim() === '' ? tehsil : block;
  const names = [state, district, third].map((name) => name.trim());
  const depth = names.findLastIndex((name) => name !== '') + 1;
  const missing = names.slice(0, depth).indexOf('');
  if (missing >= 0) throw badMember(missing === 0 ? 'state' : 'district', sentences.required);
  return names.slice(0, depth);
}

/** Finds the published Item of the layer that a body names. Throws `validation` and `not_found`. */
export async function layerItem(
  deps: Ports<'stores'>,
  body: Readonly<Record<string, unknown>>,
): Promise<PublishedItem> {
  const { state, district, block, layer, type } = neededOf(body);
  const place = await findPlace(deps.stores.places, { state, district, tehsil: block });
  const slugs = [place.state.name, place.district.name, place.tehsil.name];
  const path = publishedPath(await deps.stores.catalog.collections(), slugs.map(placeSlug).join('/'));
  const id = [...slugs.map(idSlug), layer].join('_');
  const year = yearOf(body['start_year']);
  const found = path === undefined ? undefined : await itemNamed(deps, path, { id, year });
  if (found === undefined) throw absent('item', { id: year === undefined ? id : `${id}_${year}` });
  const actualType = typeOf(found);
  if (actualType !== type) throw badMember('layer_type', sentences.otherLayerType(found.id, actualType));
  return found;
}

interface RequiredMembers {
  readonly state: string;
  readonly district: string;
  readonly block: string;
  readonly layer: string;
  readonly type: string;
}

function neededOf(body: Readonly<Record<string, unknown>>): RequiredMembers {
  const members = { ...body, block: filled(body['block']) ?? body['tehsil'] };
  const texts = NEEDED.map((name) => filled(Reflect.get(members, name)));
  const missing = NEEDED.filter((_, index) => texts[index] === undefined);
  if (missing.length > 0) {
    const fields = Object.fromEntries(missing.map((name) => [name, [sentences.required]]));
    throw new RequestError(fields, sentences.stacNeeds(NEEDED));
  }
  const [state = '', district = '', block = '', layer = '', type = ''] = texts;
  const kind = type.toLowerCase();
  if (!LAYER_TYPES.some((each) => each === kind)) {
    const sentence = sentences.layerType(LAYER_TYPES);
    throw new RequestError({ layer_type: [sentence] }, sentence);
  }
  return { state, district, block, layer: layer.toLowerCase(), type: kind };
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function yearOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (!/^\d{4}$/.test(text)) throw badMember('start_year', sentences.notInteger);
  return text;
}

async function itemNamed(
  { stores: { catalog } }: Ports<'stores'>,
  path: string,
  { id, year }: { readonly id: string; readonly year: string | undefined },
): Promise<PublishedItem | undefined> {
  if (year !== undefined) return catalog.item(path, `${id}_${year}`);
  const whole = await catalog.item(path, id);
  if (whole !== undefined) return whole;
  const items = await catalog.itemsOf(path);
  return items.find((item) => item.id.startsWith(`${id}_`) && /^\d{4}$/.test(item.id.slice(id.length + 1)));
}

function typeOf({ item }: PublishedItem): (typeof LAYER_TYPES)[number] {
  const assets = isObject(item['assets']) ? item['assets'] : {};
  const { data } = assets;
  return isObject(data) && data['type'] === MEDIA.geojson ? 'vector' : 'raster';
}
