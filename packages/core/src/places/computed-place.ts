import { placeSlug } from '@headwater/stac';
import { DomainError, invalidField } from '../errors.ts';
import type { Box } from '../geo/grid.ts';
import { boxOf, type Outline } from '../geo/outlines.ts';
import type { CallerAccounts, EoAccount } from '../ports/eo-accounts.ts';
import type { Zone } from '../ports/pixels.ts';
import type { Mws, Place, PlaceStore, TehsilNames } from '../ports/places.ts';
import type { Remedies } from '../ports/host.ts';
import { findPlace, type PlaceNames } from './find-place.ts';
import { type PlaceSlugs, slugsOf } from './place-slugs.ts';

const shortName = (district: string, tehsil: string): string => `${placeSlug(district)}_${placeSlug(tehsil)}`;

/** True if the layers of another tehsil would have the same names, because layer names are built from district and block. */
function isShared({ district, tehsil }: Place, namesakes: readonly TehsilNames[]): boolean {
  const own = shortName(district.name, tehsil.name);
  return namesakes.some((other) => shortName(other.district, other.tehsil) === own);
}

/**
 * Problem of a place whose slugs of state, district and block, joined by `_`, are the same as those of another tehsil; undefined for all
 * other places. The text continues a sentence that begins with the name of the tehsil.
 */
function ambiguity({ state, district, tehsil }: Place, namesakes: readonly TehsilNames[]): string | undefined {
  const own = `${placeSlug(state.name)}_${shortName(district.name, tehsil.name)}`;
  const twin = namesakes.find(
    (other) => `${placeSlug(other.state)}_${shortName(other.district, other.tehsil)}` === own,
  );
  if (twin === undefined) return undefined;
  return (
    `(${district.name}, ${state.name}) and ${twin.tehsil} (${twin.district}, ${twin.state}) would both be named "${own}"; ` +
    'rename one of the two in the place directory.'
  );
}

/** The tehsil or region that a run computes. It is read once, at the start of the run. */
export interface ComputedPlace {
  /** Names of the place; the place directory does not contain the names of a region. */
  readonly place: Place;
  /** The requested box if the place is a region; absent for a tehsil. Results for a region have no layer at the map server. */
  readonly region?: Box;
  readonly slugs: PlaceSlugs;
  /** Micro-watersheds; may be empty. */
  readonly mws: readonly Mws[];
  /** Tehsil boundary and MWS polygons, or the region's box; rasters are clipped to these. */
  readonly clip: readonly Outline[];
  /** Lon/lat box of `clip`. */
  readonly box: Box;
  /** Lon/lat box of the MWS polygons (invalid if there are none), or the region. */
  readonly mwsBox: Box;
}

/** Stores and texts with which a request is checked. */
interface Directories {
  readonly places: PlaceStore;
  readonly eoAccounts: CallerAccounts;
  readonly remedies: Remedies;
}

/**
 * Finds the tehsil of a computing request. Throws errors with the field and the remedy: `not_found` for an unknown state, district or
 * tehsil; `validation` for an unusable account, and for a tehsil without a boundary or without a unique name.
 */
export async function resolvePlace(
  request: PlaceNames & { readonly eoAccountId: number },
  { places, eoAccounts, remedies }: Directories,
): Promise<Place> {
  await checkAccount(request.eoAccountId, eoAccounts);
  const place = await findPlace(places, request);
  const { tehsil } = place;
  if (tehsil.geometry === null) throw invalidField('tehsil', `${tehsil.name} has no boundary; ${remedies.placeData}`);
  const ambiguous = ambiguity(place, await places.namesakesOf(tehsil.id));
  if (ambiguous !== undefined) throw invalidField('tehsil', `${tehsil.name} ${ambiguous}`);
  return place;
}

/**
 * Reads the place of a run. Throws `input_data` if, since the request was checked, the place was removed or has lost its boundary, or
 * its name is no longer unique.
 */
export async function loadPlace(
  tehsilId: number,
  { places, remedies }: Pick<Directories, 'places' | 'remedies'>,
): Promise<ComputedPlace> {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined || place.tehsil.geometry === null)
    throw new DomainError('input_data', `Tehsil ${tehsilId} has no boundary; ${remedies.placeData}`);
  const mws = await places.mwsOf(tehsilId);
  const clip = clipOf(place.tehsil.geometry, mws);
  const namesakes = await places.namesakesOf(tehsilId);
  const ambiguous = ambiguity(place, namesakes);
  if (ambiguous !== undefined) throw new DomainError('input_data', `${place.tehsil.name} ${ambiguous}`);
  const slugs = slugsOf(place, isShared(place, namesakes) ? 'shared' : 'alone');
  return { place, slugs, mws, clip, box: boxOf(clip), mwsBox: boxOf(mws.map((m) => m.geometry)) };
}

/** Members that a request for another layer of this place needs: the names of the place, and the account. */
export const requestOfPlace = ({ place }: Pick<ComputedPlace, 'place'>, eoAccountId: number) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  eoAccountId,
});

/** Micro-watersheds as zones, in the same order. */
export const mwsZones = ({ mws }: Pick<ComputedPlace, 'mws'>): readonly Zone[] =>
  mws.map(({ uid, geometry }) => ({ id: uid, geometry }));

/** Polygons to which the rasters of a place are clipped. */
const clipOf = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): readonly Outline[] => [
  boundary,
  ...mws.map(({ geometry }) => geometry),
];

/** Lon/lat box of all computed data of a tehsil. */
export const searchBox = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): Box =>
  boxOf(clipOf(boundary, mws));

/**
 * Reason why runs cannot use an account in a process that computes only on the platform `local`; undefined if runs can use the account.
 * The text continues a sentence that begins with the name of the account.
 */
export function accountProblem(account: EoAccount, now: Date): string | undefined {
  const { platform } = account;
  const problem = stateProblem(account, now);
  if (problem !== undefined) return problem;
  if (platform !== 'local')
    return `belongs to the platform ${platform}, which cannot compute here; name an account of the platform local`;
  return undefined;
}

/** Reason why an account of any platform cannot be used: it is disabled, or its quota is spent; undefined if neither is the case. */
export function stateProblem({ isActive, exhaustedUntil }: EoAccount, now: Date): string | undefined {
  if (!isActive) return 'is disabled; name another account, or ask a superuser to enable it';
  if (exhaustedUntil === null || new Date(exhaustedUntil) <= now) return undefined;
  return `has spent its quota at the platform; it can be used again after ${exhaustedUntil}`;
}

/** Throws `validation` for the account's field if runs cannot use this account. A hidden account counts as unknown. */
export async function checkAccount(id: number, eoAccounts: CallerAccounts): Promise<void> {
  const account = await eoAccounts.byId(id);
  if (account?.isVisible !== true) throw invalidField('eoAccountId', `account ${id} does not exist`, 'unknown');
  const { problemOf = async (each: EoAccount) => accountProblem(each, new Date()) } = eoAccounts;
  const problem = await problemOf(account);
  if (problem !== undefined)
    throw invalidField('eoAccountId', `account ${id} (${account.name}) ${problem}`, 'unsupported');
}
