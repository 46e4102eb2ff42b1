import { isObject } from '@headwater/core/values';
import { z, type ZodType } from 'zod';
import { wireName } from '../../../wire/names.ts';

const DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/;
const DIGITS = /^[ \t\r\n]*[0-9]{1,9}[ \t\r\n]*$/;
const SIGNED = /^[ \t\r\n]*-?[0-9]{1,9}[ \t\r\n]*$/;
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Converts a value of an HTTP request to the form of its schema: names to camelCase, and texts to numbers or
 * booleans. Values that do not fit stay unchanged. Members that an object schema does not have are left out.
 */
export function fromWire(schema: ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodNumber) return numberOf(inner, value);
  if (inner instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => fromWire(inner.unwrap() as ZodType, each));
  if (inner instanceof z.ZodObject && isObject(value)) return membersOf(inner, value);
  return value;
}

/** Returns the schema without its wrappers, such as optional and nullable. */
export function unwrapped(schema: ZodType): ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return unwrapped(schema.unwrap() as ZodType);
  return schema;
}

/** Pattern of a number for this schema. An integer may have a sign only if the schema sets a lower bound below 0. */
export function numberText(schema: z.ZodNumber): RegExp {
  if (!schema.isInt) return DECIMAL;
  const least = schema.minValue ?? 0;
  return least < 0 && least > Number.MIN_SAFE_INTEGER ? SIGNED : DIGITS;
}

function numberOf(schema: z.ZodNumber, value: unknown): unknown {
  return typeof value === 'string' && numberText(schema).test(value) ? Number(value) : value;
}

function membersOf(schema: z.ZodObject, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = Object.entries(schema.shape).flatMap(([field, each]) => {
    const name = wireName(field);
    return Object.hasOwn(value, name) ? [[field, fromWire(each as ZodType, value[name])] as const] : [];
  });
  return Object.fromEntries(known);
}
