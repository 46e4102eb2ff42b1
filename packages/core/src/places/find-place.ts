import { placeSlug } from '@headwater/stac';
import { type DomainError, fieldError, invalidField } from '../errors.ts';
import type { District, Place, PlaceStore, State, Tehsil } from '../ports/places.ts';
import { similarity } from './edit-distance.ts';
import { latinName, needsLatin } from './latin-name.ts';
import { checkPlaceName, isPlainPlaceName } from './name-check.ts';

const MAX_SUGGESTIONS = 3;
const NEAR = 0.6;
/** Maximum length of a text that is compared with names, because longer comparisons take a long time. */
const MAX_LENGTH = 100;

/** Returns up to three names that are similar to `text` or begin with it, the most similar first. */
export function nearNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = placeSlug(text);
  if (wanted === '' || wanted.length > MAX_LENGTH) return [];
  const scored = names.map((name) => ({ name, score: nearness(wanted, placeSlug(name)) }));
  return scored
    .filter(({ score }) => score >= NEAR)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

function nearness(wanted: string, slug: string): number {
  const begins = wanted.length >= 3 && slug.startsWith(wanted);
  return Math.max(similarity(wanted, slug), begins ? NEAR : 0);
}

/** Names of a place in a request. */
export interface PlaceNames {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** `details` of a `not_found` error about a place. */
export interface UnknownPlace {
  readonly kind: 'place';
  readonly level: keyof PlaceNames;
  /** Name as in the request, trimmed. */
  readonly name: string;
  /** Name of the unit above; absent for a state. */
  readonly within?: string;
  /**
   * Names that end with the requested name in brackets, such as `Jaypur (जयपुर)`. If there are none: up to three
   * similar names, the most similar first.
   */
  readonly near: readonly string[];
  /** If no name is similar: all names at this level below the unit `within`. */
  readonly known?: readonly string[];
}

type Directory = Pick<PlaceStore, 'states' | 'districts' | 'tehsilUnits' | 'findState' | 'findDistrict' | 'findTehsil'>;

/**
 * Finds a tehsil by its names, in any spelling with an equal slug or in an Indian script. Throws `validation` for an
 * impossible name, `not_found` (`UnknownPlace`) for an unknown name.
 */
export async function findPlace(store: Directory, names: PlaceNames): Promise<Place> {
  const { state, district } = await findDistrict(store, names);
  const tehsil: Tehsil = await level({
    field: 'tehsil',
    text: names.tehsil,
    within: district.name,
    find: (slug) => store.findTehsil(district.id, slug),
    all: () => store.tehsilUnits(district.id),
  });
  return { state, district, tehsil };
}

/** Finds a state by its name. Throws the errors of `findPlace`. */
export async function findState(store: Directory, names: Pick<PlaceNames, 'state'>): Promise<State> {
  return await level({
    field: 'state',
    text: names.state,
    find: (slug) => store.findState(slug),
    all: () => store.states(),
  });
}

/** Finds a district by the names of state and district. Throws the errors of `findPlace`. */
export async function findDistrict(
  store: Directory,
  names: Pick<PlaceNames, 'state' | 'district'>,
): Promise<Pick<Place, 'state' | 'district'>> {
  const state = await findState(store, names);
  const district: District = await level({
    field: 'district',
    text: names.district,
    within: state.name,
    find: (slug) => store.findDistrict(state.id, slug),
    all: () => store.districts(state.id),
  });
  return { state, district };
}

interface Level<T> {
  readonly field: keyof PlaceNames;
  readonly text: string;
  readonly within?: string;
  readonly find: (slug: string) => Promise<T | undefined>;
  readonly all: () => Promise<readonly { readonly name: string }[]>;
}

async function level<T extends { readonly name: string }>(query: Level<T>): Promise<T> {
  const { field, text } = query;
  checkPlaceName(field, text);
  const slug = placeSlug(text);
  const found = slug === '' ? undefined : await query.find(slug);
  if (found !== undefined && (sameText(text, found.name) || isSpelling(text, found.name))) return found;
  if (!isPlainPlaceName(text)) {
    throw invalidField(
      field,
      'cannot be the name of a place; use only letters, digits, blanks and _ ( ) . , : ; - &, without a dot at the start or two dots together.',
    );
  }
  const names = (await query.all()).map(({ name }) => name);
  const inItsScript = names.filter((name) => isOtherName(text, name));
  const [only] = inItsScript;
  const named = only === undefined || inItsScript.length > 1 ? undefined : await query.find(placeSlug(only));
  if (named !== undefined) return named;
  const byRule = inItsScript.length > 0 ? undefined : await foundByRule(query);
  if (byRule !== undefined) return byRule;
  throw unknownName(query, names, inItsScript);
}

// Finds a unit by the Latin spelling of a name. Skips units with another script in brackets, because an earlier step
// compared these names.
async function foundByRule<T extends { readonly name: string }>({ text, find }: Level<T>): Promise<T | undefined> {
  const slug = placeSlug(latinOf(text));
  const found = slug === '' || slug === placeSlug(text) ? undefined : await find(slug);
  return found !== undefined && !/[^\0-\x7F]/.test(found.name) ? found : undefined;
}

const latinOf = (text: string): string => (needsLatin(text) ? latinName(text) : text);

// A stored name may end with another script in brackets, `Jaypur (जयपुर)`, which the slug omits.
function isOtherName(text: string, name: string): boolean {
  const [, other = ''] = /\(([^()]*)\)$/.exec(name) ?? [];
  return /[^\0-\x7F]/.test(other) && lettersOf(text) === lettersOf(other);
}

// True if the text is the stored name, ignoring case and outer blanks. A name with a character that `isPlainPlaceName`
// refuses is found only by this comparison.
function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.toLowerCase();
}

// Compares letters, because a slug has only a-z: 'Cacharé' has the slug of Cachar.
function isSpelling(text: string, name: string): boolean {
  if (!isPlainPlaceName(text)) return false;
  return !/[^\0-\x7F]/.test(text) || lettersOf(text) === lettersOf(name);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

function unknownName<T>(
  { field, text, within }: Level<T>,
  names: readonly string[],
  alike: readonly string[],
): DomainError {
  const near = alike.length > 0 ? alike : nearNames(latinOf(text), names);
  const name = text.trim();
  const where = within === undefined ? '' : ` in ${within}`;
  const message = `"${name}" is not a known ${field}${where}.`;
  const details: UnknownPlace = {
    kind: 'place',
    level: field,
    name,
    ...(within === undefined ? {} : { within }),
    near,
    ...(near.length > 0 ? {} : { known: names }),
  };
  return fieldError('not_found', { [field]: [{ rule: 'unknown', message }] }, { details: { ...details } });
}
