import { isPlainPlaceName, latinName, needsLatin, UID_RULE } from '@headwater/core/places';
import { placeSlug } from '@headwater/core';
import { z } from 'zod';
import { BadProperty } from './bad-place-file.ts';
import type { PlaceFeature } from './place-features.ts';

/** Names of a tehsil and the units above. */
export interface TehsilNames {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

const NO_LETTER = 'needs at least one letter a-z or digit 0-9';
const TEXT = z
  .string('must be text')
  .trim()
  .min(1, 'is empty')
  .max(100, 'is longer than 100 characters')
  .refine(isPlainPlaceName, 'may have letters, digits, blank and _ ( ) . - & , : ; only, and must not be a path')
  .refine((name) => placeSlug(name) !== '' || needsLatin(name), NO_LETTER)
  // Underscores become blanks, because dashboards split `{id}_{name}` at the underscore. Outer punctuation is probably
  // a typing error, and is removed.
  .transform((name) => name.replace(/[_\s]+/g, ' ').replace(/^[ ,:;&-]+|[ ,:;&-]+$/g, ''))
  .refine((name) => name !== '', NO_LETTER);
const UID_WORDS = `must be a whole number, or text of at most ${UID_RULE.longest} characters: ${UID_RULE.words}, such as "12_100174"`;
const UID = z.union(
  [
    z
      .string()
      .trim()
      .max(UID_RULE.longest, UID_WORDS)
      .regex(UID_RULE.pattern, UID_WORDS)
      // Some results are objects with uids as keys, in which `__proto__` cannot be set.
      .refine((uid) => uid !== '__proto__', UID_WORDS),
    // Some programs store an id of digits as a number.
    z.int(UID_WORDS).min(0, UID_WORDS).transform(String),
  ],
  UID_WORDS,
);
const WHOLE_WORDS = 'must be a whole number of 0 or more, such as 641000; 0 means that there is no id';
const WHOLE = z.union(
  [
    z.int(WHOLE_WORDS).min(0, WHOLE_WORDS),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  WHOLE_WORDS,
);
const VILLAGE_NAME = z.string('must be text').trim().min(1, 'is empty').max(200, 'is longer than 200 characters');

const ALIASES = {
  state: ['state', 'state_name'],
  district: ['district', 'district_name'],
  tehsil: ['tehsil', 'tehsil_name', 'block', 'block_name'],
  state_slug: ['state_slug'],
  district_slug: ['district_slug'],
  tehsil_slug: ['tehsil_slug', 'block_slug'],
  uid: ['uid', 'mws_id'],
  vill_ID: ['vill_id', 'village_id'],
  vill_name: ['vill_name', 'village_name'],
} as const;
type Property = keyof typeof ALIASES;

/** Shapefiles shorten column names to this length, so shortened names are also read. */
const SHAPEFILE_NAME = 10;
const withCut = (name: string): readonly string[] => [name, name.slice(0, SHAPEFILE_NAME)];

/** All property names that are read, in lower case. */
export const PROPERTY_NAMES: readonly string[] = Object.values(ALIASES).flat().flatMap(withCut);

/**
 * True for a micro-watershed: it has `uid`, or `mws_id` without `vill_ID`, because a village may also have `mws_id`.
 */
export function isMws(feature: PlaceFeature): boolean {
  return hasProperty(feature, 'uid') && (feature.properties.has('uid') || !hasProperty(feature, 'vill_ID'));
}

/** True if the feature has the property under any of its names. */
export function hasProperty(feature: PlaceFeature, property: Property): boolean {
  return valueOf(feature, property) !== undefined && valueOf(feature, property) !== null;
}

function valueOf(feature: PlaceFeature, property: Property): unknown {
  for (const name of ALIASES[property].flatMap(withCut)) {
    const value = feature.properties.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function read<T>(feature: PlaceFeature, property: Property, schema: z.ZodType<T>): T {
  const value = valueOf(feature, property);
  if (value === undefined || value === null) throw new BadProperty(feature.where, property, missing(feature, property));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues[0]?.message ?? 'is not valid';
  throw new BadProperty(feature.where, property, reason);
}

const MOST_LISTED = 8;

function missing({ properties }: PlaceFeature, property: Property): string {
  const found = [...properties.keys()].slice(0, MOST_LISTED).map((name) => name.slice(0, 40));
  const more = properties.size > MOST_LISTED ? ', ...' : '';
  return `is missing: it is read from ${ALIASES[property].join(' or ')}; the feature has ${found.join(', ') || 'no property'}${more}`;
}

/** State, district and tehsil. Throws `BadPlaceFile` for a missing or invalid name. */
export function tehsilNames(feature: PlaceFeature): TehsilNames {
  return {
    state: nameOf(feature, 'state'),
    district: nameOf(feature, 'district'),
    tehsil: nameOf(feature, 'tehsil'),
  };
}

/**
 * Name with Latin letters, for ids and addresses; a name in another script follows in brackets. The Latin name comes
 * from `{level}_slug`; without it, the name is transliterated.
 */
function nameOf(feature: PlaceFeature, level: keyof TehsilNames): string {
  const name = read(feature, level, TEXT);
  if (!needsLatin(name)) return name;
  const slug = `${level}_slug` as const;
  const latin = hasProperty(feature, slug) ? read(feature, slug, TEXT) : latinName(name);
  if (placeSlug(latin) !== '') return `${latin} (${name})`;
  const reason = `cannot be written in Latin letters; add ${slug}, such as "Jaipur"`;
  throw new BadProperty(feature.where, level, reason);
}

/** Uid of a micro-watershed. Throws `BadPlaceFile` if missing or invalid. */
export function mwsUid(feature: PlaceFeature): string {
  return read(feature, 'uid', UID);
}

/** Id and name of a village. Throws `BadPlaceFile` if missing or invalid. */
export function village(feature: PlaceFeature): { id: number; name: string } {
  return {
    id: read(feature, 'vill_ID', WHOLE),
    name: read(feature, 'vill_name', VILLAGE_NAME),
  };
}

/** Key of a tehsil: its three slugs, joined by '/'. Capital letters and punctuation make no difference. */
export function tehsilKey({ state, district, tehsil }: TehsilNames): string {
  return [state, district, tehsil].map(placeSlug).join('/');
}
