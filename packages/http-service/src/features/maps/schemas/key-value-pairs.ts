import { z } from 'zod';

/** JSON Schema of a parameter of an OGC request. */
export type ParameterSchema = Readonly<
  | { type: 'string'; description: string; enum?: readonly string[] }
  | { type: 'integer'; description: string; minimum?: number; enum?: readonly number[] }
>;

/** Parameters by their names, for the OpenAPI document. */
export type Parameters = Readonly<Record<string, ParameterSchema>>;

/** A parameter with these values; without values it accepts any text. */
export const parameter = (description: string, ...values: readonly string[]): ParameterSchema => ({
  type: 'string',
  description,
  ...(values.length === 0 ? {} : { enum: values }),
});

/** A parameter that is an integer, with its smallest value or all of its values. */
export const integerParameter = (
  description: string,
  values: { readonly minimum: number } | { readonly enum: readonly number[] },
): ParameterSchema => ({ type: 'integer', description, ...values });

/**
 * Query of an OGC request. It accepts all key-value pairs, with names in upper or lower case; the OpenAPI document
 * lists only the given parameters.
 */
export function keyValuePairs(properties: Parameters, required: readonly string[]): z.ZodType<Record<string, string>> {
  return z.record(z.string(), z.string()).meta({ properties, required });
}
