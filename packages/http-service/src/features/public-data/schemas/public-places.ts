import type { ActiveState, LonLat } from '@headwater/core/ports';
import { type PlaceNames, type PlainSlugs, plainSlugs, UID_RULE } from '@headwater/core/places';
import type { TehsilNames } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';
import { LANGUAGES } from '../../../wire/languages.ts';
import { sentences } from '../../../wire/sentences.ts';
import { text } from '../../../wire/text.ts';

/** A decimal number; digits, sign, point and exponent, and no other spelling that `Number` reads (`''`, `0x10`, `Infinity`). */
const DECIMAL = /^[ \t\r\n]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?[ \t\r\n]*$/;
const LONGEST_NUMBER = 60;

function degrees(limit: number): z.ZodType<number, string> {
  const outside = `Must be between -${limit} and ${limit}.`;
  return z
    .string()
    .max(LONGEST_NUMBER, sentences.notNumber)
    .regex(DECIMAL, sentences.notNumber)
    .transform(Number)
    .pipe(z.number().min(-limit, outside).max(limit, outside));
}

/** Query of a point lookup. */
export const PointQuery: z.ZodType<LonLat> = z.object({
  latitude: degrees(90).describe('Degrees north (EPSG:4326), -90 to 90.'),
  longitude: degrees(180).describe('Degrees east (EPSG:4326), -180 to 180.'),
});

/** The place that a caller names, and the parameter by which its third level was named. */
export interface NamedPlace {
  readonly names: PlaceNames;
  /** Of the names, made once for each query that is kept. */
  readonly slugs: PlainSlugs | undefined;
  readonly parameter: 'tehsil' | 'block';
}

const name = text(200);
const PLACE = {
  state: name.describe('Name of the state, in any spelling with the same slug.'),
  district: name.describe('Name of a district of this state.'),
  tehsil: name.optional().describe('Name of a tehsil of this district; required, unless it is named by `block`.'),
  block: name.optional().describe('The same as `tehsil`.'),
};
const MWS_ID = z
  .string()
  .max(UID_RULE.longest, sentences.tooLong(UID_RULE.longest))
  .regex(UID_RULE.pattern, 'An id of a micro-watershed has digits and _ only, as 12_100174.');
const MWS = {
  mws_id: MWS_ID.optional().describe('`uid` of the micro-watershed; required, unless it is named by `uid`.'),
  uid: MWS_ID.optional().describe('The same as `mws_id`.'),
};

/** Query of what is known of a tehsil. */
export const PlaceQuery = alternatives(z.object(PLACE), 'tehsil', 'block').transform(namedPlace);

/** Query of what is known of a micro-watershed. */
export const MwsQuery = alternatives(
  alternatives(z.object({ ...PLACE, ...MWS }), 'tehsil', 'block'),
  'mws_id',
  'uid',
).transform(({ mws_id: id, uid = '', ...place }) => ({ ...namedPlace(place), uid: id ?? uid }));

/** Query of what is downloaded of a tehsil, which such clients call `block`. */
export const BlockQuery = alternatives(z.object(PLACE), 'block', 'tehsil').transform(namedPlace);

/** Forms in which indicators of a tehsil are downloaded. */
const FILE_TYPES = ['json', 'xlsx', 'geojson'] as const;
const FILE_TYPE = {
  file_type: z
    .string()
    .transform((type) => type.trim().toLowerCase())
    .pipe(z.enum(FILE_TYPES, `Must be ${FILE_TYPES.join(', ')}.`))
    .optional()
    .describe('json (default), xlsx or geojson.'),
};

/** Query of indicators of a tehsil as a file. */
export const KylDownloadQuery = alternatives(z.object({ ...PLACE, ...FILE_TYPE }), 'block', 'tehsil').transform(
  ({ file_type: fileType = 'json', ...place }): KylQuery => ({ ...namedPlace(place), fileType }),
);

/** A tehsil, and the form of its file. */
export interface KylQuery extends NamedPlace {
  readonly fileType: (typeof FILE_TYPES)[number];
}

const LANGUAGE = {
  lang: z
    .enum(LANGUAGES, `Must be ${LANGUAGES.join(' or ')}.`)
    .optional()
    .describe('Language of the page; without it `Accept-Language` decides, else English.'),
};

/** Query of the page of a micro-watershed. */
export const MwsReportQuery = alternatives(
  alternatives(z.object({ ...PLACE, ...MWS, ...LANGUAGE }), 'block', 'tehsil'),
  'uid',
  'mws_id',
).transform(({ mws_id: id = '', uid, lang, ...place }) => ({ ...namedPlace(place), uid: uid ?? id, lang }));

/** Query of the page of a tehsil. */
export const TehsilReportQuery = alternatives(z.object({ ...PLACE, ...LANGUAGE }), 'block', 'tehsil').transform(
  ({ lang, ...place }) => ({ ...namedPlace(place), lang }),
);

interface SentPlace {
  readonly state: string;
  readonly district: string;
  readonly tehsil?: string | undefined;
  readonly block?: string | undefined;
}

function namedPlace({ state, district, tehsil, block = '' }: SentPlace): NamedPlace {
  const parameter = tehsil === undefined ? 'block' : 'tehsil';
  const names = { state, district, tehsil: tehsil ?? block };
  return { names, slugs: plainSlugs(names), parameter };
}

/** Demands one of two names of a parameter, whatever else is missing; both with one value are heard once. */
function alternatives<T extends z.ZodType>(schema: T, name: string, other: string): T {
  const sent = (value: unknown): readonly [unknown, unknown] =>
    isObject(value) ? [value[name], value[other]] : [undefined, undefined];
  const always = { when: ({ value }: { readonly value: unknown }) => isObject(value) };
  const isThere = (value: unknown): boolean => sent(value).some((each) => each !== undefined);
  const oneValue = (value: unknown): boolean => {
    const [one, two] = sent(value);
    return one === two || one === undefined || two === undefined;
  };
  return schema
    .refine(isThere, { ...always, path: [name], error: sentences.required })
    .refine(oneValue, { ...always, path: [name], error: sentences.twoNames(name) });
}

const admin = { State: z.string(), District: z.string(), Tehsil: z.string() };

/** Names of the tehsil at a point. */
export const AdminDetails = z.object(admin).meta({ id: 'AdminDetails' });

/** Names of the tehsil and id of the micro-watershed at a point, which stands under both of its names. */
export const MwsAtPoint = z.object({ ...admin, mws_id: z.string(), uid: z.string() }).meta({ id: 'MwsAtPoint' });

/** A tehsil as the point lookups name it. */
export function adminBody({ state, district, tehsil }: TehsilNames): z.infer<typeof AdminDetails> {
  return { State: state, District: district, Tehsil: tehsil };
}

/** The tree of active locations; ids are text, and a state's list of districts is named in the singular. */
export const ActiveLocations = z
  .array(
    z.object({
      label: z.string(),
      state_id: z.string(),
      district: z.array(
        z.object({
          label: z.string(),
          district_id: z.string(),
          blocks: z.array(z.object({ label: z.string(), block_id: z.string(), tehsil_id: z.string() })),
        }),
      ),
    }),
  )
  .meta({ id: 'ActiveLocations' });

/** Active locations -> wire object. */
export function activeBody(states: readonly ActiveState[]): z.infer<typeof ActiveLocations> {
  return states.map(({ id, name: label, districts }) => ({
    label,
    state_id: String(id),
    district: districts.map((district) => ({
      label: district.name,
      district_id: String(district.id),
      blocks: district.tehsils.map((tehsil) => ({
        label: tehsil.name,
        block_id: String(tehsil.id),
        tehsil_id: String(tehsil.id),
      })),
    })),
  }));
}
