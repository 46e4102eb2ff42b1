import { isObject } from '@headwater/core/values';
import { wireName } from './names.ts';
import { sentences } from './sentences.ts';

/** How a field of a request is spoken on the wire. */
export interface WireField {
  readonly name: string;
  /** Other names under which clients of the live system send it. */
  readonly aliases: readonly string[];
  /** Said where it is missing. */
  readonly required: string;
  /** Said, with the name that was sent, where it is no whole number; absent: what the field's own schema says. */
  readonly notInteger?: (name: string) => string;
}

type Special = Pick<WireField, 'aliases'> & Partial<WireField>;

/** Fields with older names or sentences of their own. */
const SPECIAL: Readonly<Record<string, Special>> = {
  tehsil: { aliases: ['tehsil'] },
  eoAccountId: {
    aliases: ['gee_account_id'],
    required: 'eo_account_id is required (gee_account_id is accepted too).',
    notInteger: (name) => `${name} must be an integer.`,
  },
};

/** The wire's names and sentences of a request's field: `startYear` is `start_year`, `tehsil` is `block` or `tehsil`. */
export function wireField(field: string): WireField {
  const special = Object.hasOwn(SPECIAL, field) ? SPECIAL[field] : undefined;
  return { name: wireName(field), aliases: [], required: sentences.required, ...special };
}

/** A pipeline's request as clients send it. */
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
