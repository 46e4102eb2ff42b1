import { asList, asObject, asText, own, type JsonObject } from '../scenes/json.ts';
import type { DemNotice } from './dem-notice.ts';

/** Maximum length of a text from a Collection. It is limited because every Item made from these elevations gets a copy. */
const MOST = 300;
/** Maximum number of organisations in the credit. */
const MOST_PROVIDERS = 10;
/** Roles of organisations that produced or license the elevations. */
const MAKERS = ['licensor', 'producer', 'processor'] as const;

/** Reads title, license and credit of elevations from their STAC Collection; the credit names its providers. */
export function collectionNotice(collection: JsonObject): DemNotice {
  const id = short(asText(own(collection, 'id'))) ?? 'without id';
  const title = short(asText(own(collection, 'title'))) ?? `Elevation data of the Collection ${id}`;
  const license = asText(own(collection, 'license'));
  return {
    title,
    license: license !== undefined && isIdentifier(license) ? license : 'other',
    attribution: creditOf(collection) ?? `${title} (its Collection names no provider)`,
    synthetic: false,
  };
}

/** True for an SPDX identifier. STAC 1.0 uses `proprietary` or `various` if there is none. */
const isIdentifier = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/.test(text) && !/^(?:proprietary|various)$/i.test(text);

function creditOf(collection: JsonObject): string | undefined {
  const attribution = short(asText(own(collection, 'attribution')));
  if (attribution !== undefined) return attribution;
  const providers = asList(own(collection, 'providers')).slice(0, MOST_PROVIDERS).map(asObject);
  const named = providers.flatMap((provider) => {
    const name = provider && short(asText(own(provider, 'name')));
    if (provider === undefined || name === undefined) return [];
    const roles = asList(own(provider, 'roles'));
    return [{ name, isMaker: MAKERS.some((role) => roles.includes(role)) }];
  });
  const makers = named.filter(({ isMaker }) => isMaker);
  const names = (makers.length > 0 ? makers : named).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : undefined;
}

function short(text: string | undefined): string | undefined {
  const trimmed = text?.trim().slice(0, MOST);
  return trimmed === '' ? undefined : trimmed;
}
