import type { FieldProblem } from '@headwater/core';
import type { FieldRule } from '@headwater/core/values';
import { wireName } from './names.ts';
import { paths } from './paths.ts';

/** Sentences about a field in the live system's words: its dashboards show them as they come (wire-contract 1.5). */
export const sentences = {
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
  notText: 'Not a valid string.',
  notInteger: 'A valid integer is required.',
  notNumber: 'A valid number is required.',
  notBoolean: 'Must be true or false.',
  notList: 'A list is required.',
  notObject: 'An object is required.',
  noObjectText: 'This text begins as an object and is no JSON: give the object itself, or its JSON text.',
  notJsonObject: 'A JSON object is required.',
  stylesByCommand:
    'An upload takes no style files; leave styles out, or import with the command where the service runs.',
  taken: 'A user with that username already exists.',
  wrongPassword: 'Current password is incorrect.',
  newPasswordsDiffer: "Password fields didn't match.",
  forbidden: 'You do not have permission to perform this action.',
  joined: (group: string): string => `User is in the group ${group}.`,
  left: (group: string): string => `User is not in the group ${group}.`,
  activated: (unit: string, active: boolean, isNew: boolean): string =>
    `${unit} ${isNew ? 'is now' : 'was already'} ${active ? 'active' : 'inactive'}.`,
  inactiveAbove: (level: 'district' | 'block'): string =>
    level === 'district' ? 'Activate its state first.' : 'Activate its state and district first.',
  /** For a search, with its time limit in seconds; for any other request, the limit is unknown. */
  tookTooLong: (seconds: unknown): string => {
    if (typeof seconds !== 'number') return 'The database took too long and was stopped. Try again shortly.';
    return (
      `The search was ended because it takes longer than ${seconds} s. Narrow it: name collections, ids, ` +
      'a bbox or a datetime, ask for fewer and simpler conditions in filter or query, or sort by datetime or id.'
    );
  },
  nameStays: 'A user name stays as it is; leave it out.',
  noPictures: 'This service keeps no pictures; leave it out.',
  oneOf: (values: readonly string[]): string => `Give one of ${values.join(', ')}.`,
  passwordsDiffer: "New password fields didn't match.",
  linkIsSent: 'If an account of this name has an e-mail address, a link for a new password is on its way there.',
  passwordIsReset: 'The password is set; every session and API key of the user has ended.',
  ownPassword: `Change your own password with the present one: POST ${paths.changePassword}`,
  passwordOfSuperuser:
    'The password of another superuser is set by himself, or by the command change-password where the service runs.',
  stacNeeds: (names: readonly string[]): string =>
    `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''} are required`,
  layerType: (types: readonly string[]): string =>
    `layer_type must be ${types.map((type) => `'${type}'`).join(' or ')}`,
  otherLayerType: (id: string, type: string): string => `${id} is a ${type} layer.`,
  stacGenerated: 'STAC collection generation initiated',
  foreignToken: 'Token belongs to another user',
  tooLong: (limit: number): string => `Ensure this field has no more than ${limit} characters.`,
  givenTwice: 'Given more than once; send it once.',
  ownJob: 'This is the id of a run of this service, which it starts itself; give another one.',
  taskOrAsset: 'Give task_id, or asset_id.',
  noFileHere:
    "This service has no such file. Let the container publish in the service's database and data folder, or put its files where everybody can fetch them.",
  tooManyFiles: (most: number) => `It names more than ${most} files; post fewer Items.`,
  noItem: 'Give at least one STAC Item in result.stac_items.',
  noRegion: 'Give region as [west, south, east, north] in degrees.',
  noRoiAsset: 'roi_asset names an asset of another platform, which this service cannot read; give region instead.',
  notRegion: 'Give four numbers, [west, south, east, north] in degrees.',
  notYear: (sent: string): string =>
    `Give a hydrological year such as 2021 (1 July 2021 to 30 June 2022). This was sent: ${sent}`,
  unknownScheme: (sent: string, known: readonly string[]): string =>
    `There is no scheme ${sent} here; this service has ${known.join(', ')}.`,
  twoNames: (name: string): string => `Given under two names with two values; send ${name} only.`,
  notStorable: 'Null characters are not allowed.',
  notStorableText: 'Characters that cannot be stored (NUL or a lone surrogate) are not allowed.',
  unreadable: (kind: 'JSON' | 'Form' | 'Multipart form', reason: string): string => `${kind} parse error - ${reason}`,
  tooDeep: (levels: number): string => `objects and lists are nested more than ${levels} deep; send a flatter body`,
  unsupportedType: (type: string, taken: readonly string[]): string =>
    `Unsupported media type "${type}" in request. Send ${taken.join(' or ')}.`,
  noContentType: (taken: readonly string[]): string =>
    `The body came without a Content-Type; send the header Content-Type: ${taken.join(' or ')}.`,
  rawAddress:
    'The address has characters that no address may have; percent-encode text as UTF-8, also names of places: %E0%A4%AE for \u092e.',
  largeHead: 'The address and the headers are larger than this server reads; send fewer of them.',
  lateRequest: 'The request did not come in time; send it again.',
  notHttp: 'What came is not HTTP that can be read.',
  methodNotAllowed: (method: string): string => `Method "${method}" not allowed.`,
  notAnObject: (kind: string): string => `Invalid data. Expected a dictionary, but got ${kind}.`,
  /** For a value that is no `expected` (zod's word); undefined where there is no sentence. */
  wrongType: (expected: string): string | undefined => WRONG_TYPE.get(expected),
} as const;

const WRONG_TYPE: ReadonlyMap<string, string> = new Map([
  ['string', sentences.notText],
  ['int', sentences.notInteger],
  ['number', sentences.notNumber],
  ['boolean', sentences.notBoolean],
  ['array', sentences.notList],
  ['object', sentences.notObject],
]);

type Worded = (problem: FieldProblem, field: string) => string;

/** Rules that have a sentence of the live system; of others the domain's own message is shown. */
const BY_RULE: Readonly<Partial<Record<FieldRule, Worded>>> = {
  required: () => sentences.required,
  null: () => sentences.null,
  blank: () => sentences.blank,
  too_long: ({ limit, message }) => (limit === undefined ? message : sentences.tooLong(limit)),
  foreign: ({ message }, field) => (field === 'refreshToken' ? sentences.foreignToken : message),
  taken: ({ message }, field) => (field === 'username' ? sentences.taken : message),
  mismatch: () => sentences.newPasswordsDiffer,
  wrong: ({ message }, field) => (field === 'oldPassword' ? sentences.wrongPassword : message),
  unknown: ({ message }, field) => message + (WHERE_LISTED.get(field) ?? ''),
};

/** Where a caller finds the values that a field may have. */
const WHERE_LISTED: ReadonlyMap<string, string> = new Map([
  ['eoAccountId', `; GET ${paths.eoAccounts} lists those you may name`],
]);

/** A field's problem as clients of the live system read it; `field` by its name in the domain. */
export function sentenceOf(problem: FieldProblem, field: string): string {
  return BY_RULE[problem.rule]?.(problem, field) ?? spoken(problem);
}

/** The domain's message with the other fields that it mentions as the wire spells them. */
function spoken({ message, mentions = [] }: FieldProblem): string {
  return mentions.reduce((text, name) => text.replaceAll(name, wireName(name)), message);
}
