import { isObject } from '@headwater/core/values';
import { wireName } from './names.ts';
import { wireField } from './request-names.ts';

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
