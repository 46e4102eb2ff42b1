import { isObject } from '@headwater/core/values';
import { z, type ZodObject, type ZodType } from 'zod';
import type { FieldsBody } from '../../../seam/row-body.ts';
import { fromWire, numberText, unwrapped } from './from-wire.ts';
import { wireName } from '../../../wire/names.ts';
import { wireField, type WireField } from '../../../wire/request-names.ts';
import { ComputeExtras, computeExtras, type Scope } from './compute.ts';
import { sentences } from '../../../wire/sentences.ts';

/** Parsed body of a computing operation. */
export interface ComputeRequest extends ReturnType<typeof computeExtras> {
  readonly request: Readonly<Record<string, unknown>>;
  /** Kind of the computed unit. For a district or a state, the names of lower units in `request` are placeholders. */
  readonly scope: Scope;
}

/**
 * Definition of the body of a pipeline's route, with HTTP names and aliases; cached. `scopes`: accepted scopes, the
 * default first.
 */
export function computeBody(
  request: ZodObject,
  scopes: readonly [Scope, ...Scope[]] = ['tehsil'],
): FieldsBody<ComputeRequest> {
  const known = BODIES.get(request) ?? new Map<string, FieldsBody<ComputeRequest>>();
  const body = known.get(scopes.join()) ?? derivedBody(request, scopes);
  BODIES.set(request, known.set(scopes.join(), body));
  return body;
}

const BODIES = new WeakMap<ZodObject, Map<string, FieldsBody<ComputeRequest>>>();

function derivedBody(request: ZodObject, scopes: readonly [Scope, ...Scope[]]): FieldsBody<ComputeRequest> {
  const schema = z.unknown().transform((sentBody, context): ComputeRequest => {
    if (!isObject(sentBody)) return refuse(context, { path: [], message: sentences.notAnObject('nothing') });
    const { scope, body, problems: ofScope } = readScope(sentBody, scopes);
    const sent = Object.keys(request.shape).map((field) => sentField(field, request.shape[field] as ZodType, body));
    const parsed = request.safeParse(
      Object.fromEntries(sent.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))),
    );
    const problems = [
      ...sent.flatMap(({ problem }) => problem ?? []),
      ...issuesOf(parsed, sent),
      ...(ComputeExtras.safeParse(body).error?.issues ?? []),
      ...ofScope,
    ];
    for (const problem of inOrder(problems, sent)) refuse(context, problem);
    return problems.length > 0 || !parsed.success ? z.NEVER : { request: parsed.data, scope, ...computeExtras(body) };
  });
  return { kind: 'fields', schema, accepts: ['json'], documented: documentedBody(request, scopes) };
}

/** For each scope, the names that its requests do not have. */
const BELOW: Readonly<Record<Scope, readonly string[]>> = {
  tehsil: [],
  district: ['tehsil'],
  state: ['district', 'tehsil'],
};

interface ReadScope {
  readonly scope: Scope;
  /** The body with a placeholder for each missing name, so that the schema of a tehsil's request accepts the body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Refuses names of units below the scope, because these names would have no effect. */
function readScope(body: Readonly<Record<string, unknown>>, scopes: readonly [Scope, ...Scope[]]): ReadScope {
  const [usual] = scopes;
  const named = scopes.length === 1 && usual === 'tehsil' ? usual : (body['scope'] ?? usual);
  const scope = scopes.find((each) => each === named);
  if (scope === undefined) {
    const problem = { path: ['scope'], message: sentences.notOneOf(scopes) };
    return { scope: usual, body, problems: [problem] };
  }
  const below = BELOW[scope].map((field) => [field, wireField(field)] as const);
  const sent = below.flatMap(([, { name, aliases }]) =>
    [name, ...aliases].filter((each) => (body[each] ?? undefined) !== undefined),
  );
  const problems = sent.map((name) => ({ path: [name], message: sentences.outOfScope(scope) }));
  const filled = Object.fromEntries(below.map(([field, { name }]) => [name, field]));
  return { scope, body: { ...body, ...filled }, problems };
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function refuse(context: z.RefinementCtx, { path, message }: Problem): never {
  context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
}

interface SentField extends WireField {
  readonly field: string;
  readonly schema: ZodType;
  /** The name in the body. Default: the first name of the field. */
  readonly used: string;
  readonly entry: readonly [string, unknown] | undefined;
  /** Problem of the field's names or of a missing value. It is reported instead of the schema's problem. */
  readonly problem: Problem | undefined;
}

function sentField(field: string, schema: ZodType, body: Readonly<Record<string, unknown>>): SentField {
  const wire = wireField(field);
  const names = [wire.name, ...wire.aliases].filter((name) => Object.hasOwn(body, name) && body[name] !== undefined);
  const withValue = names.filter((name) => body[name] !== null);
  const [used = names[0] ?? wire.name] = withValue;
  const shared = { ...wire, field, schema, used };
  if (new Set(withValue.map((name) => asText(body[name]))).size > 1) {
    const problem = { path: [wire.name], message: sentences.twoNames(wire.name) };
    return { ...shared, entry: [field, body[used]], problem };
  }
  if (withValue.length > 0) return { ...shared, entry: [field, fromWire(schema, body[used])], problem: undefined };
  return { ...shared, ...absent(shared, names.length > 0) };
}

/** Result for a field without a value. Null counts as absent if the schema does not accept null. */
function absent(
  { field, schema, name, required }: Pick<SentField, 'field' | 'schema' | 'name' | 'required'>,
  isNull: boolean,
): Pick<SentField, 'entry' | 'problem'> {
  if (isNull && schema.safeParse(null).success) return { entry: [field, null], problem: undefined };
  if (schema.safeParse(undefined).success) return { entry: undefined, problem: undefined };
  return { entry: undefined, problem: { path: [name], message: isNull ? sentences.null : required } };
}

// Text by which values of several names are compared. An object is not converted, because the conversion may throw.
function asText(value: unknown): string {
  if (typeof value === 'string') return value.trim().toLowerCase();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'no text';
}

function inOrder(problems: readonly Problem[], sent: readonly SentField[]): readonly Problem[] {
  const placeOf = ({ path: [first] }: Problem): number => {
    const at = sent.findIndex(({ name, used }) => first === name || first === used);
    return at < 0 ? sent.length : at;
  };
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function issuesOf(parsed: z.ZodSafeParseResult<unknown>, sent: readonly SentField[]): readonly Problem[] {
  return (parsed.error?.issues ?? []).flatMap((issue) => {
    const [first, ...rest] = issue.path;
    const about = sent.find(({ field }) => field === first);
    if (about?.problem !== undefined) return [];
    const path = [
      about?.used ?? first ?? [],
      rest.map((part) => (typeof part === 'string' ? wireName(part) : part)),
    ].flat();
    return [
      { path, message: about === undefined ? withWireNames(issue.message, sent) : sentenceFor(issue, about, sent) },
    ];
  });
}

function sentenceFor(issue: z.core.$ZodIssue, { used, notInteger }: SentField, sent: readonly SentField[]): string {
  if (notInteger !== undefined && issue.code === 'invalid_type') return notInteger(used);
  const rule = issue.code === 'custom' ? issue.params?.['rule'] : undefined;
  if (rule === 'blank') return sentences.blank;
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return sentences.wrongType(issue.expected) ?? issue.message;
  return withWireNames(issue.message, sent);
}

function withWireNames(message: string, sent: readonly SentField[]): string {
  return sent
    .filter(({ field }) => /[A-Z]/.test(field))
    .reduce((text, { field, name }) => text.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), name), message);
}

function documentedBody(request: ZodObject, scopes: readonly [Scope, ...Scope[]]): ZodObject {
  const [usual] = scopes;
  const fields = Object.entries(request.shape).filter(([field]) => !BELOW[usual].includes(field));
  const mayLack = new Set(scopes.flatMap((scope) => BELOW[scope]));
  const members = fields.flatMap(([field, schema]) => membersOf(field, schema as ZodType, mayLack.has(field)));
  const scope = scopes.length === 1 ? {} : { scope: documentedScope(scopes) };
  const body = z.object({ ...Object.fromEntries(members), ...ComputeExtras.shape, ...scope });
  const allOf = fields.flatMap(([field, schema]) => oneNameOf(field, schema as ZodType, mayLack.has(field)));
  return allOf.length === 0 ? body : body.meta({ allOf });
}

function documentedScope(scopes: readonly Scope[]): ZodType {
  const meaning =
    'Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.';
  return z.enum(scopes).nullish().meta({ description: meaning, default: scopes[0] });
}

/**
 * JSON Schema that requires one of a field's names. `mayLack`: `scope` may be sent instead, because some scopes need
 * none of the names.
 */
function oneNameOf(field: string, schema: ZodType, mayLack: boolean): readonly unknown[] {
  const { name, aliases } = wireField(field);
  if ((aliases.length === 0 && !mayLack) || schema.safeParse(undefined).success) return [];
  const names = [name, ...aliases, ...(mayLack ? ['scope'] : [])];
  return [{ anyOf: names.map((each) => ({ required: [each] })) }];
}

function membersOf(field: string, schema: ZodType, mayLack: boolean): [string, ZodType][] {
  const { name, aliases } = wireField(field);
  const shown = documented(schema);
  const { description } = unwrapped(schema);
  if (aliases.length > 0 || mayLack) {
    return [name, ...aliases].map((each) => {
      const meaning = each === name ? description : `The same as ${name}.`;
      return [each, described(shown.nullish(), meaning)];
    });
  }
  const isOptional = schema.safeParse(undefined).success;
  return [[name, isOptional ? documentedOptional(schema, shown) : described(shown, description)]];
}

function described(schema: ZodType, meaning: string | undefined): ZodType {
  return meaning === undefined ? schema : schema.describe(meaning);
}

function documentedOptional(schema: ZodType, shown: ZodType): ZodType {
  const meta = schema.meta() ?? {};
  const value: unknown = schema.safeParse(undefined).data;
  return shown.nullish().meta({ ...meta, ...(value === undefined ? {} : { default: value }) });
}

function documented(schema: ZodType): ZodType {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodNumber) return z.union([inner, z.string().regex(numberText(inner))]);
  if (inner instanceof z.ZodArray) return z.array(documented(inner.unwrap() as ZodType));
  if (inner instanceof z.ZodObject) {
    const members = Object.entries(inner.shape).map(([field, each]) => {
      const shown = documented(each as ZodType);
      return [wireName(field), (each as ZodType).safeParse(undefined).success ? shown.optional() : shown];
    });
    return z.object(Object.fromEntries(members));
  }
  return inner;
}
