import { z } from 'zod';

/** JSON Schema of a parameter of an OGC request. */
export type ParameterSchema = Readonly<
  | { type: 'string'; description: string; enum?: readonly string[] }
  | { type: 'integer'; description: string; minimum?: number; enum?: readonly number[] }
>;

/** Parameters by name, for the OpenAPI document. */
export type Parameters = Readonly<Record<string, ParameterSchema>>;

/** A parameter with these values; without values, any text. */
export const parameter = (description: string, ...values: readonly string[]): ParameterSchema => ({
  type: 'string',
  description,
  ...(values.length === 0 ? {} : { enum: values }),
});

/** An integer parameter, with its smallest value or all values. */
export const integerParameter = (
  description: string,
  values: { readonly minimum: number } | { readonly enum: readonly number[] },
): ParameterSchema => ({ type: 'integer', description, ...values });

/** Query of an OGC request. Names may be in upper or lower case. OpenAPI has only `properties`; others may be sent. */
export function keyValuePairs(properties: Parameters, required: readonly string[]): z.ZodType<Record<string, string>> {
  return z.record(z.string(), z.string()).meta({ properties, required });
}
