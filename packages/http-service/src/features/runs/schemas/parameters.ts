import { isObject } from '@headwater/core/values';
import { z, type ZodObject, type ZodType } from 'zod';
import { checked } from '../../../wire/checked.ts';
import { wireField } from '../../../wire/request-names.ts';
import { unwrapped } from './from-wire.ts';
import { computeBody } from './pipeline-body.ts';

/** A parameter of a pipeline, by its name on the wire. */
export interface WireParameter {
  readonly name: string;
  /** `array` for lists, `string` for all that is neither a list nor a whole number. */
  readonly type: 'string' | 'integer' | 'array';
  readonly isRequired: boolean;
}

/** What a pipeline's request asks for, in the order of its fields. */
export function wireParameters(request: ZodObject): readonly WireParameter[] {
  return fieldsOf(request).map(({ names: [name], schema }) => ({
    name,
    type: typeOf(unwrapped(schema)),
    isRequired: !schema.safeParse(undefined).success,
  }));
}

/**
 * The request that parameters make by their names on the wire; each may be a text as a command line has it, lists and objects
 * then as JSON. Others than the request's are ignored. Throws `validation` that names every field as it is on the wire.
 */
export function readWireParameters(
  request: ZodObject,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const body = Object.fromEntries(
    fieldsOf(request).flatMap(({ names, schema }) =>
      names
        .filter((name) => Object.hasOwn(given, name))
        .map((name) => [name, fromText(unwrapped(schema), given[name])] as const),
    ),
  );
  return checked(computeBody(request).schema, body).request;
}

function fieldsOf(request: ZodObject) {
  return Object.entries(request.shape).map(([field, schema]) => {
    const { name, aliases } = wireField(field);
    return { names: [name, ...aliases] as const, schema: schema as ZodType };
  });
}

function typeOf(schema: ZodType): WireParameter['type'] {
  if (schema instanceof z.ZodArray) return 'array';
  return schema instanceof z.ZodNumber && schema.isInt ? 'integer' : 'string';
}

/** Text of JSON where the schema wants a list or an object; what is none stays as it is, for the schema to refuse. */
function fromText(schema: ZodType, value: unknown): unknown {
  const wants = schema instanceof z.ZodArray || schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
  if (typeof value !== 'string' || !wants) return value;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) || isObject(read) ? read : value;
  } catch {
    return value;
  }
}
