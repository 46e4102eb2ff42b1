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

/** True if another tehsil would have equal layer names, which are built from the names of district and tehsil. */
function isShared({ district, tehsil }: Place, namesakes: readonly TehsilNames[]): boolean {
  const own = shortName(district.name, tehsil.name);
  return namesakes.some((other) => shortName(other.district, other.tehsil) === own);
}

/**
 * Returns the problem of a tehsil whose slugs of state, district and tehsil, joined by `_`, equal those of another
 * tehsil; undefined if there is none. In messages, the text follows the tehsil's name.
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

/** The tehsil or region that a run computes, read at the start of the run. */
export interface ComputedPlace {
  readonly place: Place;
  /** The requested box of a region; absent for a tehsil. */
  readonly region?: Box;
  readonly slugs: PlaceSlugs;
  readonly mws: readonly Mws[];
  /** Tehsil boundary and MWS polygons, or the region's box; rasters are clipped to these. */
  readonly clip: readonly Outline[];
  /** Lon/lat box of `clip`. */
  readonly box: Box;
  /** Lon/lat box of the MWS polygons (invalid without polygons), or the region. */
  readonly mwsBox: Box;
}

interface Directories {
  readonly places: PlaceStore;
  readonly eoAccounts: CallerAccounts;
  readonly remedies: Remedies;
}

/**
 * Finds the tehsil of a request. Throws `not_found` for an unknown place, `validation` for an unusable account or
 * tehsil.
 */
export async function resolvePlace(
  request: PlaceNames & { readonly eoAccountId: number },
  { places, eoAccounts, remedies }: Directories,
): Promise<Place> {
  await checkAccount(request.eoAccountId, eoAccounts);
  const place = await findPlace(places, request);
  const { tehsil } = place;
  if (tehsil.geometry === null)
    throw invalidField('tehsil', `${tehsil.name} has no boundary polygons; ${remedies.placeData}`);
  const ambiguous = ambiguity(place, await places.namesakesOf(tehsil.id));
  if (ambiguous !== undefined) throw invalidField('tehsil', `${tehsil.name} ${ambiguous}`);
  return place;
}

/** Reads the place of a run. Throws `input_data` if the place has become unusable since the request was checked. */
export async function loadPlace(
  tehsilId: number,
  { places, remedies }: Pick<Directories, 'places' | 'remedies'>,
): Promise<ComputedPlace> {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined)
    throw new DomainError('input_data', `Tehsil ${tehsilId} was removed; import it again, or request another tehsil`);
  if (place.tehsil.geometry === null)
    throw new DomainError('input_data', `Tehsil ${tehsilId} has no boundary polygons; ${remedies.placeData}`);
  const mws = await places.mwsOf(tehsilId);
  const clip = clipOf(place.tehsil.geometry, mws);
  const namesakes = await places.namesakesOf(tehsilId);
  const ambiguous = ambiguity(place, namesakes);
  if (ambiguous !== undefined) throw new DomainError('input_data', `${place.tehsil.name} ${ambiguous}`);
  const slugs = slugsOf(place, isShared(place, namesakes) ? 'shared' : 'alone');
  return { place, slugs, mws, clip, box: boxOf(clip), mwsBox: boxOf(mws.map((m) => m.geometry)) };
}

/** Returns the request members for another layer of this place: names and account. */
export const requestOfPlace = ({ place }: Pick<ComputedPlace, 'place'>, eoAccountId: number) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  eoAccountId,
});

/** Returns the micro-watersheds as zones, in the same order. */
export const mwsZones = ({ mws }: Pick<ComputedPlace, 'mws'>): readonly Zone[] =>
  mws.map(({ uid, geometry }) => ({ id: uid, geometry }));

const clipOf = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): readonly Outline[] => [
  boundary,
  ...mws.map(({ geometry }) => geometry),
];

/** Returns the lon/lat box of all computed data of a tehsil. */
export const searchBox = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): Box =>
  boxOf(clipOf(boundary, mws));

/** Returns the reason why runs on the platform `local` cannot use an account, as the end of a sentence. */
export function accountProblem(account: EoAccount, now: Date): string | undefined {
  const { platform } = account;
  const problem = stateProblem(account, now);
  if (problem !== undefined) return problem;
  if (platform !== 'local')
    return `belongs to the platform ${platform}, which cannot compute here; name an account of the platform local`;
  return undefined;
}

/** Returns the reason why an account cannot be used: it is disabled, or its quota is spent. */
export function stateProblem({ isActive, exhaustedUntil }: EoAccount, now: Date): string | undefined {
  if (!isActive) return 'is disabled; name another account, or ask a superuser to enable it';
  if (exhaustedUntil === null || new Date(exhaustedUntil) <= now) return undefined;
  return `has spent its quota at the platform; it can be used again after ${exhaustedUntil}`;
}

/** Throws `validation` for an account that runs cannot use. A hidden account counts as unknown. */
export async function checkAccount(id: number, eoAccounts: CallerAccounts): Promise<void> {
  const account = await eoAccounts.byId(id);
  if (account?.isVisible !== true) throw invalidField('eoAccountId', `account ${id} does not exist`, 'unknown');
  const { problemOf = async (each: EoAccount) => accountProblem(each, new Date()) } = eoAccounts;
  const problem = await problemOf(account);
  if (problem !== undefined)
    throw invalidField('eoAccountId', `account ${id} (${account.name}) ${problem}`, 'unsupported');
}
