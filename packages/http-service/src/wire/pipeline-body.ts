import { isObject } from '@headwater/core';
import { z, type ZodObject, type ZodType } from 'zod';
import { wireField, type WireField } from './request-names.ts';
import { sentences } from './sentences.ts';

const DIGITS = /^\s*\d{1,9}\s*$/;

interface Member extends WireField {
  /** Name of the field in the pipeline's request. */
  readonly field: string;
  /** The field's own schema, numbers also taken as digits in text. */
  readonly schema: ZodType;
  /** The request does without it. */
  readonly optional: boolean;
}

/**
 * Body of the route that starts a pipeline, derived from its request: wire names and older names, numbers also as their digits
 * in text (never coerced: '' and null are refused). Members that the request does not have are ignored.
 */
export function pipelineBody(request: ZodObject): ZodType<Readonly<Record<string, unknown>>> {
  const members = Object.entries(request.shape).map(([field, schema]) => memberOf(field, schema as ZodType));
  return z
    .object(Object.fromEntries(members.flatMap(shapeOf)))
    .superRefine((body, context) => checkNames(members, body, context), {
      // Also where another member is wrong, so that one answer names every field.
      when: ({ value }) => isObject(value),
    })
    .transform((body, context) => toRequest({ request, members }, body, context));
}

/** A pipeline's example as clients send it. */
export function exampleBody(request: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(request ?? {}).map(([field, value]) => [wireField(field).name, value]));
}

function memberOf(field: string, schema: ZodType): Member {
  const wire = wireField(field);
  return { ...wire, field, schema: lenient(schema, wire.notInteger), optional: schema.safeParse(undefined).success };
}

function shapeOf({ name, aliases, schema, optional }: Member): [string, ZodType][] {
  if (aliases.length === 0) return [[name, optional ? schema.nullish() : schema]];
  return [name, ...aliases].map((each) => [each, schema.nullish()]);
}

/** Integers also as digits in text: dashboards send what their forms hold. Other schemas stay as they are. */
function lenient(schema: ZodType, notInteger: string | undefined): ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return lenient(schema.unwrap() as ZodType, notInteger);
  if (!(schema instanceof z.ZodNumber) || !schema.isInt) return schema;
  const own = notInteger === undefined ? schema : z.int(notInteger).pipe(schema);
  const digits = z.string().regex(DIGITS).transform(Number).pipe(schema);
  return z.union([own, digits], { error: ({ input }) => notInteger ?? messageOf(schema, input) });
}

function messageOf(schema: ZodType, input: unknown): string {
  return schema.safeParse(input).error?.issues[0]?.message ?? sentences.notInteger;
}

type Body = Readonly<Record<string, unknown>>;

/** Adds what is wrong with members that have several names: none of them given, or two values. */
function checkNames(members: readonly Member[], body: Body, context: z.RefinementCtx): void {
  for (const { name, aliases, required, optional } of members) {
    if (aliases.length === 0) continue;
    const values = [name, ...aliases].map((each) => body[each]);
    const given = values.filter(isGiven);
    const message =
      given.length === 0
        ? missing(values, { required, optional })
        : new Set(given.map(asText)).size > 1
          ? `Given under two names with two values; send ${name} only.`
          : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
  }
}

function missing(values: readonly unknown[], rule: Pick<Member, 'required' | 'optional'>): string | undefined {
  if (rule.optional) return undefined;
  return values.includes(null) ? sentences.null : rule.required;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

// '1' and 1 are one account, 'Sila' and 'sila ' one block.
function asText(value: unknown): string {
  return String(value).trim().toLowerCase();
}

interface Derived {
  readonly request: ZodObject;
  readonly members: readonly Member[];
}

/** Members by the request's own names, checked by the request as a whole: its schema may compare fields. */
function toRequest({ request, members }: Derived, body: Body, context: z.RefinementCtx): Body {
  const entries = members.flatMap(({ field, name, aliases }) => {
    const value = [name, ...aliases].map((each) => body[each]).find(isGiven);
    return value === undefined ? [] : [[field, value] as const];
  });
  const result = request.safeParse(Object.fromEntries(entries));
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    const [first, ...rest] = path;
    const wire = typeof first === 'string' ? [wireField(first).name, ...rest] : path;
    context.addIssue({ code: 'custom', path: [...wire], message });
  }
  return z.NEVER;
}
