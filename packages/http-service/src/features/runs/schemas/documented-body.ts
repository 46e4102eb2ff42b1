import { z, type ZodObject, type ZodType } from 'zod';
import { numberText, unwrapped } from './from-wire.ts';
import { wireName } from '../../../wire/names.ts';
import { wireField } from '../../../wire/request-names.ts';
import { ComputeExtras } from './compute.ts';

/** Body of a pipeline's route as OpenAPI documents it: wire names, aliases, numbers also as text, defaults and descriptions. */
export function documentedBody(request: ZodObject): ZodObject {
  const members = Object.entries(request.shape).flatMap(([field, schema]) => membersOf(field, schema as ZodType));
  const body = z.object({ ...Object.fromEntries(members), ...ComputeExtras.shape });
  const allOf = Object.entries(request.shape).flatMap(([field, schema]) => oneNameOf(field, schema as ZodType));
  return allOf.length === 0 ? body : body.meta({ allOf });
}

/** Constraint for a required field with several names: at least one of the names must be present. */
function oneNameOf(field: string, schema: ZodType): readonly unknown[] {
  const { name, aliases } = wireField(field);
  if (aliases.length === 0 || schema.safeParse(undefined).success) return [];
  return [{ anyOf: [name, ...aliases].map((each) => ({ required: [each] })) }];
}

function membersOf(field: string, schema: ZodType): [string, ZodType][] {
  const { name, aliases } = wireField(field);
  const shown = documented(schema);
  const { description } = unwrapped(schema);
  if (aliases.length > 0) {
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

/** Schema of an optional member. It also accepts null, and has the default and description of `schema`. */
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
