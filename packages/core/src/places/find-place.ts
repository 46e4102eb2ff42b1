import { placeSlug } from '@headwater/stac';
import { type DomainError, fieldError, invalidField } from '../errors.ts';
import type { District, Place, PlaceStore, State, Tehsil } from '../ports/places.ts';
import { similarity } from './edit-distance.ts';
import { latinName, needsLatin } from './latin-name.ts';
import { checkPlaceName, isPlainPlaceName } from './name-check.ts';

const OFFERED = 3;
const NEAR = 0.6;
/** Longer input is no misspelt name, and comparing it would cost time. */
const LONGEST = 100;

/** Up to three of `names` that look like `text`, the nearest first; names that begin with it count as near. */
export function nearNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = placeSlug(text);
  if (wanted === '' || wanted.length > LONGEST) return [];
  const scored = names.map((name) => ({ name, score: nearness(wanted, placeSlug(name)) }));
  return scored
    .filter(({ score }) => score >= NEAR)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ name }) => name);
}

function nearness(wanted: string, slug: string): number {
  const begins = wanted.length >= 3 && slug.startsWith(wanted);
  return Math.max(similarity(wanted, slug), begins ? NEAR : 0);
}

/** A place as requests name it, level by level. */
export interface PlaceNames {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** `details` of a `not_found` error about a place, for whoever words it. */
export interface UnknownPlace {
  readonly kind: 'place';
  readonly level: keyof PlaceNames;
  /** As asked, without blanks around it. */
  readonly name: string;
  /** Name of the unit that was searched; absent for a state. */
  readonly within?: string;
  /** Up to three names that look like it, the nearest first. */
  readonly near: readonly string[];
  /** Every name there, where none is near. */
  readonly known?: readonly string[];
}

type Directory = Pick<PlaceStore, 'states' | 'districts' | 'tehsilUnits' | 'findState' | 'findDistrict' | 'findTehsil'>;

/**
 * Finds a tehsil by its names, in any spelling with the same slug, or as they are written in their own script. Throws `validation` for text that is no name and
 * `not_found` for an unknown one; both name the level as field. `details` of the latter are an `UnknownPlace`.
 */
export async function findPlace(store: Directory, names: PlaceNames): Promise<Place> {
  const state: State = await level({
    field: 'state',
    text: names.state,
    find: (slug) => store.findState(slug),
    all: () => store.states(),
  });
  const district: District = await level({
    field: 'district',
    text: names.district,
    within: state.name,
    find: (slug) => store.findDistrict(state.id, slug),
    all: () => store.districts(state.id),
  });
  const tehsil: Tehsil = await level({
    field: 'tehsil',
    text: names.tehsil,
    within: district.name,
    find: (slug) => store.findTehsil(district.id, slug),
    all: () => store.tehsilUnits(district.id),
  });
  return { state, district, tehsil };
}

interface Level<T> {
  readonly field: keyof PlaceNames;
  readonly text: string;
  /** Name of the unit above, if there is one. */
  readonly within?: string;
  readonly find: (slug: string) => Promise<T | undefined>;
  readonly all: () => Promise<readonly { readonly name: string }[]>;
}

async function level<T extends { readonly name: string }>(asked: Level<T>): Promise<T> {
  const { field, text } = asked;
  checkPlaceName(field, text);
  const slug = placeSlug(text);
  const found = slug === '' ? undefined : await asked.find(slug);
  if (found !== undefined && (sameText(text, found.name) || isSpelling(text, found.name))) return found;
  if (!isPlainPlaceName(text)) {
    throw invalidField(
      field,
      `has characters that no place's name has; use letters, digits, blanks and _ ( ) . - & only.`,
    );
  }
  const names = (await asked.all()).map(({ name }) => name);
  const inItsScript = names.filter((name) => isOtherName(text, name));
  const [only] = inItsScript;
  const meant = only === undefined || inItsScript.length > 1 ? undefined : await asked.find(placeSlug(only));
  if (meant !== undefined) return meant;
  const byRule = inItsScript.length > 0 ? undefined : await foundByRule(asked);
  if (byRule !== undefined) return byRule;
  throw unknownName(asked, names, inItsScript);
}

// A unit that was first read in Latin letters keeps that name; a file that writes it in its own script is read as the same unit,
// by the same rule. A unit with another name in brackets is another place's.
async function foundByRule<T extends { readonly name: string }>({ text, find }: Level<T>): Promise<T | undefined> {
  const slug = placeSlug(latinOf(text));
  const found = slug === '' || slug === placeSlug(text) ? undefined : await find(slug);
  return found !== undefined && !/[^\0-\x7F]/.test(found.name) ? found : undefined;
}

const latinOf = (text: string): string => (needsLatin(text) ? latinName(text) : text);

// A name in another script stands in brackets behind its Latin letters: `Jaypur (जयपुर)`. Slugging drops it.
function isOtherName(text: string, name: string): boolean {
  const [, other = ''] = /\(([^()]*)\)$/.exec(name) ?? [];
  return /[^\0-\x7F]/.test(other) && lettersOf(text) === lettersOf(other);
}

// A directory may hold a name with an odd character; such a name is accepted when it is spelt out.
function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.toLowerCase();
}

// A slug drops letters beyond a-z, so 'Cacharé' has Cachar's: where there are such letters, they have to be the name's.
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
