import type { FieldProblem } from '@headwater/core';
import type { FieldRule } from '@headwater/core/values';
import { wireName } from './names.ts';
import { paths } from './paths.ts';

const TOKEN_NEEDED = `Send Authorization: Bearer <token>, with the access token that POST ${paths.login} returns.`;

/** Sentences about fields and requests. Sentences that existing dashboards show (`required`, `taken`) must not change. */
export const sentences = {
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
  notText: 'Not a valid string.',
  notInteger: 'A valid integer is required.',
  integerWithin: (least: number, most: number): string => `Must be an integer from ${least} to ${most}.`,
  notNumber: 'A valid number is required.',
  notBoolean: 'Must be true or false.',
  notList: 'A list is required.',
  notObject: 'An object is required.',
  noObjectText: 'This text begins like a JSON object but is not valid JSON; send the object itself, or its JSON text.',
  notJsonObject: 'A JSON object is required.',
  stylesByCommand: 'An upload accepts no style files; leave styles out, or run the import command on the server.',
  taken: 'A user with that username already exists.',
  wrongPassword: 'Current password is incorrect.',
  newPasswordsDiffer: "Password fields didn't match.",
  forbidden: 'You do not have permission to perform this action.',
  joined: (group: string): string => `User is in the group ${group}.`,
  left: (group: string): string => `User is not in the group ${group}.`,
  kmlKind:
    'Send the field kind (places, mws, villages or layer) before the file. Use places for boundaries of tehsils. layer also needs the field options.',
  uploaded: (isTrial: boolean): string =>
    isTrial ? 'Successfully checked; nothing is stored' : 'Successfully uploaded',
  workspaceExists: (name: string): string => `Workspace ${name} exists already.`,
  workspaceCreated: (name: string): string => `Workspace ${name} is created.`,
  workspaceFromLayers: (name: string): string =>
    `Workspace ${name} can be used: the map server of this service has it as soon as a layer is published in it.`,
  layerUnpublished: (name: string): string =>
    `Layer ${name} is unpublished: its Item was removed with all layers, tables and files.`,
  activated: (unit: string, active: boolean, isNew: boolean): string =>
    `${unit} ${isNew ? 'is now' : 'was already'} ${active ? 'active' : 'inactive'}.`,
  inactiveAbove: (level: 'district' | 'block'): string =>
    level === 'district' ? 'Activate its state first.' : 'Activate its state and district first.',
  /** `seconds`: time limit of a search; undefined for other requests. */
  tookTooLong: (seconds: unknown): string => {
    if (typeof seconds !== 'number')
      return 'A statement of the database took too long and was stopped. Try again shortly.';
    return (
      `The search was ended because it took longer than ${seconds} s. Narrow it: name collections, ids, ` +
      'a bbox or a datetime, use fewer and simpler conditions in filter or query, or sort by datetime or id.'
    );
  },
  nameStays: 'A user name cannot be changed; leave it out.',
  noPictures: 'This service stores no pictures; leave it out.',
  oneOf: (values: readonly string[]): string => `Must be one of ${values.join(', ')}.`,
  passwordsDiffer: "New password fields didn't match.",
  linkIsSent: 'If this account exists and has an e-mail address, a password reset link was sent to it.',
  passwordIsReset: 'The password is set; every session and API key of the user has ended.',
  ownPassword: `Change your own password with the current one: POST ${paths.changePassword}`,
  passwordOfSuperuser:
    'This is the account of a superuser. Only its user, or the command change-password on the server, can set its password.',
  stacNeeds: (names: readonly string[]): string =>
    `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''} are required`,
  layerType: (types: readonly string[]): string =>
    `layer_type must be ${types.map((type) => `'${type}'`).join(' or ')}`,
  otherLayerType: (id: string, type: string): string => `${id} is a ${type} layer.`,
  stacGenerated: 'STAC collection generation initiated',
  foreignToken: 'Token belongs to another user',
  tooLong: (limit: number): string => `Ensure this field has no more than ${limit} characters.`,
  givenTwice: 'Sent more than once; send it once.',
  ownJob: 'This is the id of a run of this service; use another id.',
  taskOrAsset: 'Send task_id or asset_id.',
  noFileHere:
    "This service has no such file. If a container computes the job, give it access to the service's database and data folder; or put the files at a public address.",
  tooManyFiles: (most: number) => `The Items name more than ${most} files; post fewer Items.`,
  noJobToPost:
    'No job accepts results under this id. Use the run_id of the workflow’s conf; it is not the id that POST /api/jobs returns.',
  noItem: 'Send at least one STAC Item in result.stac_items.',
  noRegion: 'Send region as [west, south, east, north] in degrees.',
  noRoiAsset: 'roi_asset names an asset of another platform, which this service cannot read; send region instead.',
  notRegion: 'Send four numbers, [west, south, east, north] in degrees.',
  notYear: (sent: string): string =>
    `Must be a hydrological year such as 2021 (1 July 2021 to 30 June 2022), not ${sent}`,
  noYear: 'No year was sent, and no year with enough scenes of this region was found; send year.',
  newestYear: (year: number): string =>
    `No year was sent, so ${year} is used: the newest hydrological year with enough scenes of this region.`,
  unknownScheme: (sent: string, known: readonly string[]): string =>
    `Unknown scheme ${sent}; this service has ${known.join(', ')}.`,
  unlisted: (known: readonly string[]): string =>
    `A conf may have only the members ${known.join(', ')}; leave this member out.`,
  notOneOf: (values: readonly string[]): string => `Must be ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`,
  outOfScope: (scope: string): string =>
    `Leave this member out: with the scope ${scope}, all tehsils of the ${scope} are computed.`,
  twoNames: (name: string): string => `Sent under two names with different values; send ${name} only.`,
  notStorable: 'Null characters are not allowed.',
  notStorableText: 'Characters that cannot be stored (NUL or a lone surrogate) are not allowed.',
  unreadable: (kind: 'JSON' | 'Form' | 'Multipart form', reason: string): string => `${kind} parse error - ${reason}`,
  tooDeep: (levels: number): string => `objects and lists are nested more than ${levels} deep; send a flatter body`,
  unsupportedType: (type: string, taken: readonly string[]): string =>
    `Unsupported media type "${type}" in request. Send ${taken.join(' or ')}.`,
  noContentType: (taken: readonly string[]): string =>
    `The body has no Content-Type; send the header Content-Type: ${taken.join(' or ')}.`,
  encodedBody: (encoding: string): string =>
    `Unsupported Content-Encoding "${encoding}" in request. Send the body without compression and without this header.`,
  noCredentials: `Authentication credentials were not provided. ${TOKEN_NEEDED}`,
  noToken: `JWT token required in Authorization header. ${TOKEN_NEEDED}`,
  rawAddress:
    'The address has characters that are not allowed there; percent-encode text as UTF-8, also names of places: %E0%A4%AE for \u092e.',
  largeHead: 'The address and the headers are larger than the limit of this server; send less.',
  lateRequest: 'The request did not arrive in time; send it again.',
  notHttp: 'The request is not valid HTTP.',
  methodNotAllowed: (method: string): string => `Method "${method}" not allowed.`,
  notAnObject: (kind: string): string => `Invalid data. Expected a dictionary, but got ${kind}.`,
  /** Sentence for a wrong type; `expected` is zod's name of the type. */
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

/** Sentences by rule; most are those that existing clients expect. */
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
  unsupported: (problem, field) => wireText(problem) + (WHERE_LISTED.get(field) ?? ''),
};

const WHERE_LISTED: ReadonlyMap<string, string> = new Map([
  ['eoAccountId', `; GET ${paths.eoAccounts} lists the accounts that you may use`],
]);

/** Sentence about a field's problem for the client. `field`: domain name of the field. */
export function sentenceOf(problem: FieldProblem, field: string): string {
  return BY_RULE[problem.rule]?.(problem, field) ?? wireText(problem);
}

function wireText({ message, mentions = [] }: FieldProblem): string {
  return mentions.reduce((text, name) => text.replaceAll(name, wireName(name)), message);
}
