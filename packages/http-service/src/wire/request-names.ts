import { isObject } from '@headwater/core/values';
import { wireName } from './names.ts';
import { sentences } from './sentences.ts';

/** Wire name of a request's field, and the sentences about the field. */
export interface WireField {
  readonly name: string;
  /** Other accepted names, for existing clients. */
  readonly aliases: readonly string[];
  /** Sentence for a missing field. */
  readonly required: string;
  /** Sentence for a value that is not an integer; `name` is the sent name. Default: the schema's message. */
  readonly notInteger?: (name: string) => string;
}

type Special = Pick<WireField, 'aliases'> & Partial<WireField>;

const SPECIAL: Readonly<Record<string, Special>> = {
  tehsil: { aliases: ['tehsil'] },
  eoAccountId: {
    aliases: ['gee_account_id'],
    required: 'eo_account_id is required (gee_account_id is accepted too).',
    notInteger: (name) => `${name} must be an integer.`,
  },
};

/** Wire names and sentences of a field: `startYear` is `start_year`; `tehsil` is `block` or `tehsil`. */
export function wireField(field: string): WireField {
  const special = Object.hasOwn(SPECIAL, field) ? SPECIAL[field] : undefined;
  return { name: wireName(field), aliases: [], required: sentences.required, ...special };
}

/** Converts a pipeline's request to the body that clients send. */
export function exampleBody(request: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(request ?? {}).map(([field, value]) => [wireField(field).name, toWire(value)]),
  );
}

function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [wireName(name), toWire(each)]))
    : value;
}
