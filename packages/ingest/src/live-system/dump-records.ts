import { z } from 'zod';
import { LICENSE, provider } from '../import/layer/layer-options.ts';

/** Supported version of the dump format. */
export const DUMP_VERSION = 1;

const id = z.int().min(1).max(2_147_483_647);
const uuid = z.uuid();
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T09:30:00Z' });
const short = z.string().max(1000);
const blankable = short.nullish();

const license = z.string(LICENSE).regex(/^[\w\-.+]{1,100}$/, 'must be an SPDX identifier such as CC-BY-4.0');
const providers = z.array(provider).min(1).max(20);

const header = z.strictObject({
  format: z.literal('headwater-dump'),
  version: z.literal(DUMP_VERSION),
  /**
   * Name or address of the live system. It must be equal in all dumps of this system, so that rows from earlier
   * dumps are recognised.
   */
  source: z.string().min(1).max(200),
  made_at: time,
  /** Defaults for layers without `license` or `providers`. */
  license: license.optional(),
  providers: providers.optional(),
});

/** First line of a dump. */
export type DumpHeader = Readonly<z.infer<typeof header>>;

/** Schema of a dump's first line. */
export const dumpHeader = header;

const organization = z.strictObject({ type: z.literal('organization'), id: uuid, name: short });
const group = z.strictObject({ type: z.literal('group'), id, name: short });

const user = z.strictObject({
  type: z.literal('user'),
  id,
  username: short,
  /** Hash of the password as Django stores it. */
  password: short,
  email: blankable,
  first_name: blankable,
  last_name: blankable,
  contact_number: blankable,
  is_active: z.boolean(),
  is_superuser: z.boolean().optional(),
  is_superadmin: z.boolean().optional(),
  organization: uuid.nullish(),
  groups: z.array(id).max(100).optional(),
  age: z.int().nullish(),
  education_qualification: blankable,
  gender: z.enum(['M', 'F', 'O']).nullish(),
  account_type: z.enum(['individual', 'org']).nullish(),
  /** Time of the account's creation; default: the time of the dump. */
  date_joined: time.optional(),
});

const project = z.strictObject({
  type: z.literal('project'),
  id,
  name: short,
  organization: uuid.nullish(),
  members: z
    .array(z.strictObject({ user: id, group: id }))
    .max(10_000)
    .optional(),
});

const apiKey = z.strictObject({
  type: z.literal('api_key'),
  prefix: z.string().regex(/^[A-Za-z0-9]{8}$/, 'must be the 8 letters and digits before the dot of the key'),
  hashed_key: z
    .string()
    .regex(
      /^sha512\$\$[0-9a-f]{128}$/,
      'must be sha512$$ and 128 hex digits; a key with an older hash gets this form when it is used once in the live system',
    ),
  user: id,
  name: short,
  created: time,
  expires_at: time.nullish(),
  is_active: z.boolean(),
  revoked: z.boolean(),
});

/** Earth-observation account without its credentials. */
const eoAccount = z.strictObject({
  type: z.literal('eo_account'),
  id,
  name: short,
  service_account_email: blankable,
  account_email: blankable,
  is_visible: z.boolean(),
  /** Ignored, because accounts of this service have no helper account. */
  helper_account: id.nullish(),
});

/** File next to the dump (`path`, relative to the dump's folder), or at an address (`url`). */
const file = z
  .strictObject({
    path: short.optional(),
    url: z.string().max(8000).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
      .optional(),
  })
  .refine(({ path, url }) => (path === undefined) !== (url === undefined), 'must have either path or url');

const place = { state: short, district: short, tehsil: short };
const anyId = z.union([id, z.string().min(1).max(200)]);

const boundaries = z.strictObject({
  type: z.literal('boundaries'),
  id: anyId,
  kind: z.enum(['places', 'mws', 'villages']),
  file,
  /** Tehsil of the features, if the file does not name the tehsil. */
  place: z.strictObject(place).optional(),
});

const tehsil = z.strictObject({ type: z.literal('tehsil'), id, ...place, is_active: z.boolean() });

const dataset = z.strictObject({
  type: z.literal('dataset'),
  id: anyId,
  name: short,
  layer_type: z.enum(['vector', 'raster', 'point']),
  workspace: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'must have letters, digits, _ and - only'),
  style_name: short.optional(),
});

const day = z.iso.date('must be a day such as 2021-07-01');

const layer = z.strictObject({
  type: z.literal('layer'),
  id: anyId,
  /** Whole name of the layer in the live system, such as `cachar_lakhipur_drought`. */
  layer_name: short,
  workspace: short,
  dataset: short,
  ...place,
  title: short,
  description: z.string().max(20_000),
  license: license.optional(),
  providers: providers.optional(),
  start: day,
  end: day,
  attribution: short.optional(),
  lineage: short.optional(),
  keywords: z.array(short).max(50).optional(),
  unit: short.optional(),
  classes: z.array(z.unknown()).max(256).optional(),
  /** Text that changes when the live system computes the layer again. */
  version: short.optional(),
  file,
});

const end = z.strictObject({ type: z.literal('end'), records: z.int().min(0) });

/** Schemas of the records by type. */
export const RECORDS = {
  organization,
  group,
  user,
  project,
  api_key: apiKey,
  eo_account: eoAccount,
  boundaries,
  tehsil,
  dataset,
  layer,
  end,
} as const;

/** File of a record. */
export type DumpFile = Readonly<z.infer<typeof file>>;

/** Type of a record. */
export type RecordType = keyof typeof RECORDS;

/** Record of one type. */
export type RecordOf<T extends RecordType> = Readonly<z.infer<(typeof RECORDS)[T]>>;

/** Any record of a dump. */
export type DumpRecord = { [T in RecordType]: RecordOf<T> }[RecordType];

/** Unchecked record of a dump. */
export type RawRecord = Readonly<Record<string, unknown>>;
