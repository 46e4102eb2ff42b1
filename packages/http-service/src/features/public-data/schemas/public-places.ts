import type { ActiveState, LonLat } from '@headwater/core/ports';
import { type PlaceNames, type PlainSlugs, plainSlugs, UID_RULE } from '@headwater/core/places';
import type { TehsilNames } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { lang, numberInDocument, text, textOrNone } from '../../../wire/text.ts';

/** A decimal number. `Number` also accepts other texts, such as `''`, `0x10` and `Infinity`. */
const DECIMAL = /^[ \t\r\n]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?[ \t\r\n]*$/;
const LONGEST_NUMBER = 60;

function degrees(limit: number): z.ZodType<number, string> {
  const outside = `Must be between -${limit} and ${limit}.`;
  const read = z
    .string()
    .max(LONGEST_NUMBER, sentences.notNumber)
    .regex(DECIMAL, sentences.notNumber)
    .transform(Number)
    .pipe(z.number().min(-limit, outside).max(limit, outside));
  return numberInDocument(read, { type: 'number', minimum: -limit, maximum: limit });
}

/** Query of a point lookup. */
export const PointQuery: z.ZodType<LonLat> = z.object({
  latitude: degrees(90).describe('Degrees north (EPSG:4326), -90 to 90.'),
  longitude: degrees(180).describe('Degrees east (EPSG:4326), -180 to 180.'),
});

/** A place in a query, and the parameter name of its tehsil. */
export interface NamedPlace {
  readonly names: PlaceNames;
  readonly slugs: PlainSlugs | undefined;
  readonly parameter: 'tehsil' | 'block';
}

const name = text(200);
const PLACE = {
  state: name.describe('Name of the state, in any spelling with the same slug.'),
  district: name.describe('Name of a district of this state.'),
  tehsil: name.optional().describe('Name of a tehsil of this district; required unless `block` is sent.'),
  block: name.optional().describe('The same as `tehsil`.'),
};
const MWS_ID = z
  .string()
  .max(UID_RULE.longest, sentences.tooLong(UID_RULE.longest))
  .regex(UID_RULE.pattern, `The id of a micro-watershed has only ${UID_RULE.words}; for example 12_100174.`);
const MWS = {
  mws_id: MWS_ID.optional().describe('Id (`uid`) of the micro-watershed; required unless the parameter `uid` is sent.'),
  uid: MWS_ID.optional().describe('The same as `mws_id`.'),
};

/** Query for data of a tehsil. */
export const PlaceQuery = alternatives(z.object(PLACE), 'tehsil', 'block').transform(namedPlace);

/** Query for data of a micro-watershed. */
export const MwsQuery = alternatives(
  alternatives(z.object({ ...PLACE, ...MWS }), 'tehsil', 'block'),
  'mws_id',
  'uid',
).transform(({ mws_id: id, uid = '', ...place }) => ({ ...namedPlace(place), uid: id ?? uid }));

/** Query for downloads of a tehsil. Clients of these routes send `block` instead of `tehsil`. */
export const BlockQuery = alternatives(z.object(PLACE), 'block', 'tehsil').transform(namedPlace);

const FILE_TYPES = ['json', 'xlsx', 'geojson'] as const;
const FILE_TYPE = {
  file_type: z
    .string()
    .transform((type) => type.trim().toLowerCase())
    .pipe(z.enum(FILE_TYPES, `Must be ${FILE_TYPES.join(', ')}.`))
    .optional()
    .describe('json (default), xlsx or geojson.'),
};

/** Query for the indicators of a tehsil as a file. */
export const KylDownloadQuery = alternatives(z.object({ ...PLACE, ...FILE_TYPE }), 'block', 'tehsil').transform(
  ({ file_type: fileType = 'json', ...place }): KylQuery => ({ ...namedPlace(place), fileType }),
);

/** A tehsil and a file format. */
export interface KylQuery extends NamedPlace {
  readonly fileType: (typeof FILE_TYPES)[number];
}

const LANGUAGE = { lang };

/** Query for the page of a micro-watershed. */
export const MwsReportQuery = alternatives(
  alternatives(z.object({ ...PLACE, ...MWS, ...LANGUAGE }), 'block', 'tehsil'),
  'uid',
  'mws_id',
).transform(({ mws_id: id = '', uid, lang, ...place }) => ({ ...namedPlace(place), uid: uid ?? id, lang }));

const COLUMN = {
  column: z
    .string()
    .max(200, 'At most 200 characters.')
    .optional()
    .describe(
      'Column that colours the map, as `sheet:column`. The links below the map of this page contain the possible values. Default: the map has outlines only.',
    ),
};

/** Query for the page of a tehsil. */
export const TehsilReportQuery = alternatives(
  z.object({ ...PLACE, ...LANGUAGE, ...COLUMN }),
  'block',
  'tehsil',
).transform(({ lang, column, ...place }) => ({ ...namedPlace(place), lang, column }));

const PLAN = textOrNone(200).optional();

/** Query for the page of the resources of a tehsil. */
export const ResourceReportQuery = alternatives(
  z.object({
    ...PLACE,
    ...LANGUAGE,
    plan_id: PLAN.describe(
      'Id of a plan. This service has no plans, so the page is about the whole tehsil and says so.',
    ),
    plan_name: PLAN.describe('Name of the plan.'),
  }),
  'block',
  'tehsil',
).transform(({ lang, plan_id: id = '', plan_name: plan = '', ...place }) => ({
  ...namedPlace(place),
  lang,
  plan: plan === '' ? id : plan,
}));

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

/**
 * Requires a parameter under one of its two names, and refuses different values. The check runs even if other
 * parameters are invalid, so that the error lists all missing parameters.
 */
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

/** Names of the tehsil and id of the micro-watershed at a point. The id has two member names. */
export const MwsAtPoint = z.object({ ...admin, mws_id: z.string(), uid: z.string() }).meta({ id: 'MwsAtPoint' });

/** Names of a tehsil in the form of the point lookups. */
export function adminBody({ state, district, tehsil }: TehsilNames): z.infer<typeof AdminDetails> {
  return { State: state, District: district, Tehsil: tehsil };
}

/** Tree of active locations. Ids are texts. */
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

/** Converts active locations into their wire form. */
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
