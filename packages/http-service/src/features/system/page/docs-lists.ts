import { isObject } from '@headwater/core/values';
import { html } from 'hono/html';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../../../openapi/document.ts';
import type { Html } from '../../../pages/layout.ts';

/** Formats a text as HTML; text between backticks becomes code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Describes a JSON Schema briefly: `Run`, `integer 1..100`, `{name: string}`. */
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

interface Field {
  readonly name: string;
  readonly note: string;
  readonly type: string;
  readonly meaning: string;
}

// List of fields, as a description list: unlike a table, it is readable at any width.
function fieldList(fields: readonly Field[]): Html {
  return html`<dl class="fields">
    ${fields.map(
      ({ name, note, type, meaning }) =>
        html`<div>
          <dt><code>${name}</code> <span class="note">${note}</span></dt>
          <dd><code>${type}</code>${meaning === '' ? '' : html`<br />${prose(meaning)}`}</dd>
        </div> `,
    )}
  </dl>`;
}

/** List of the parameters of path and query. */
export function parameterList(parameters: readonly OpenApiParameter[]): Html {
  const fields = parameters.map(({ name, in: place, required, schema, description = '' }) => ({
    name,
    note: `${place}, ${required ? 'required' : 'optional'}`,
    type: typeText(schema),
    meaning: description,
  }));
  return html`<h3>Parameters</h3>
    ${fieldList(fields)}`;
}

/** Media type of a body, and the list of its fields if it has fields. */
export function bodyFields(
  content: NonNullable<OpenApiOperation['requestBody']>['content'],
  document: OpenApiDocument,
): Html {
  const media = Object.keys(content).join(' or ');
  const schema = resolved(Object.values(content)[0]?.schema, document);
  if (!isObject(schema) || !isObject(schema['properties'])) {
    return html`<h3>Body</h3>
      <p><code>${media}</code></p>`;
  }
  const required = textsOf(schema['required']);
  const alternatives = alternativesOf(schema);
  const fields = Object.entries(schema['properties']).map(([name, each]) => ({
    name,
    note: noteOf(name, required, alternatives),
    type: typeText(each),
    meaning: isObject(each) && typeof each['description'] === 'string' ? each['description'] : '',
  }));
  return html`<h3>Body</h3>
    <p><code>${media}</code></p>
    ${fieldList(fields)}`;
}

function noteOf(name: string, required: readonly string[], alternatives: readonly (readonly string[])[]): string {
  if (required.includes(name)) return 'required';
  const others = alternatives.find((names) => names.includes(name))?.filter((each) => each !== name);
  return others === undefined ? 'optional' : `required, or ${others.join(' or ')} in its place`;
}

/**
 * Groups of names. One name of each group is required: `allOf: [{ anyOf: [{ required: [a] }, { required: [b] }] }]`.
 */
function alternativesOf({ allOf }: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  return listOf(allOf).map((each) => listOf(each['anyOf']).flatMap(({ required }) => textsOf(required)));
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function resolved(schema: unknown, { components }: OpenApiDocument): unknown {
  if (!isObject(schema) || typeof schema['$ref'] !== 'string') return schema;
  return components['schemas']?.[schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)];
}

/** List of the responses: status, meaning and body. */
export function answerList(responses: Readonly<Record<string, OpenApiResponse>>): Html {
  return html`<h3>Responses</h3>
    <dl class="fields">
      ${Object.entries(responses).map(
        ([status, { description, content = {} }]) =>
          html`<div>
            <dt><code>${status}</code></dt>
            <dd>
              ${prose(description)}
              ${Object.entries(content).map(
                ([media, { schema }]) =>
                  html`<br /><code>${media}</code> ${schema === undefined ? '' : schemaLink(schema)}`,
              )}
            </dd>
          </div> `,
      )}
    </dl>`;
}

function schemaLink(schema: unknown): Html {
  const text = typeText(schema);
  return /^[A-Z]\w*$/.test(text) ? html`<a href="#schema-${text}">${text}</a>` : html`<code>${text}</code>`;
}
