import { isObject } from '@headwater/core/values';

/** A JSON Schema in a few words, for people: `Run`, `integer 1..100`, `{name: string}`. */
export function typeText(schema: unknown): string {
  if (!isObject(schema)) return 'anything';
  const { $ref, anyOf, allOf, type, items, properties } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeText))].join(' | ');
  if (isObject(properties)) return objectText(properties, schema['required']);
  if (Array.isArray(allOf)) return allOf.map(typeText).join(' & ');
  if (type === 'array') return `${grouped(typeText(items))}[]`;
  return `${typeof type === 'string' ? type : 'anything'}${boundsText(schema)}`;
}

function grouped(text: string): string {
  return / [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text;
}

function objectText(properties: Readonly<Record<string, unknown>>, required: unknown): string {
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(
    ([name, each]) => `${name}${needed.includes(name) ? '' : '?'}: ${typeText(each)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function boundsText({ minimum, maximum }: Readonly<Record<string, unknown>>): string {
  if (typeof minimum !== 'number' && typeof maximum !== 'number') return '';
  const upper = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? String(maximum) : '';
  const lower = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? String(minimum) : '';
  return lower === '' && upper === '' ? '' : ` ${lower}..${upper}`;
}
