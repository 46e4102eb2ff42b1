import { isObject } from '@headwater/core/values';
import { z, type ZodObject, type ZodType } from 'zod';
import { checked } from '../../../wire/checked.ts';
import { wireField } from '../../../wire/request-names.ts';
import { unwrapped } from './from-wire.ts';
import { computeBody } from './pipeline-body.ts';

/** A parameter of a pipeline, with its name in HTTP requests. */
export interface WireParameter {
  readonly name: string;
  /** `array` for lists, `integer` for whole numbers, `string` for all others. */
  readonly type: 'string' | 'integer' | 'array';
  readonly isRequired: boolean;
}

/** Parameters of a pipeline's request, in the order of its fields. */
export function wireParameters(request: ZodObject): readonly WireParameter[] {
  return fieldsOf(request).map(({ names: [name], schema }) => ({
    name,
    type: typeOf(unwrapped(schema)),
    isRequired: !schema.safeParse(undefined).success,
  }));
}

/** A parameter as a form shows it. */
export interface FormParameter extends Pick<WireParameter, 'name' | 'isRequired'> {
  readonly field: string;
  /** `json` for lists and objects. */
  readonly kind: 'text' | 'number' | 'json';
  readonly description: string | undefined;
  /** Accepted values; undefined if the schema lists none. */
  readonly options: readonly string[] | undefined;
}

/** Parameters of a pipeline's request for a form. `without`: fields that the form does not have. */
export function formParameters(request: ZodObject, without: ReadonlySet<string>): readonly FormParameter[] {
  return fieldsOf(request)
    .filter(({ field }) => !without.has(field))
    .map(({ field, names: [name], schema }) => {
      const inner = unwrapped(schema);
      const kind = inner instanceof z.ZodNumber ? 'number' : isJson(inner) ? 'json' : 'text';
      const isRequired = !schema.safeParse(undefined).success;
      const description = schema.description ?? inner.description;
      return { field, name, isRequired, kind, description, options: optionsOf(inner) };
    });
}

function optionsOf(schema: ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodBoolean) return ['true', 'false'];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

/**
 * Builds a pipeline's request from parameters with HTTP names. Values may be texts. Throws `validation` with the names
 * of all wrong fields.
 */
export function readWireParameters(
  request: ZodObject,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const body = Object.fromEntries(
    fieldsOf(request).flatMap(({ names, schema }) =>
      names
        .filter((name) => Object.hasOwn(parameters, name))
        .map((name) => [name, fromText(unwrapped(schema), parameters[name])] as const),
    ),
  );
  return checked(computeBody(request).schema, body).request;
}

function fieldsOf(request: ZodObject) {
  return Object.entries(request.shape).map(([field, schema]) => {
    const { name, aliases } = wireField(field);
    return { field, names: [name, ...aliases] as const, schema: schema as ZodType };
  });
}

function typeOf(schema: ZodType): WireParameter['type'] {
  if (schema instanceof z.ZodArray) return 'array';
  return schema instanceof z.ZodNumber && schema.isInt ? 'integer' : 'string';
}

const isJson = (schema: ZodType): boolean =>
  schema instanceof z.ZodArray || schema instanceof z.ZodObject || schema instanceof z.ZodRecord;

/** Parses JSON text for lists and objects. Other values stay unchanged. */
function fromText(schema: ZodType, value: unknown): unknown {
  if (typeof value !== 'string' || !isJson(schema)) return value;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) || isObject(read) ? read : value;
  } catch {
    return value;
  }
}
