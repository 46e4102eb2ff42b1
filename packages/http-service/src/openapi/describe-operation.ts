import type { ErrorCode } from '@headwater/core';
import { policiesOf } from '@headwater/identity';
import type { Operation, ResponseSpec, OperationExample } from '../rows/operation.ts';
import { bodySpec, type FieldsKind, type RowBody } from '../seam/row-body.ts';
import { MEANING_OF, STATUS_OF, TITLE_OF } from '../wire/status.ts';
import { wordingOf } from '../wire/wordings/index.ts';
import type { OpenApiOperation, OpenApiParameter, OpenApiResponse, OpenApiExample } from './document.ts';
import type { SchemaSink } from './json-schema.ts';

function namedExamples(
  examples: readonly { readonly example: OperationExample; readonly value: unknown }[],
): Readonly<Record<string, OpenApiExample>> {
  return Object.fromEntries(
    examples.map(({ example, value }) => [example.name, { summary: `answers ${example.status}`, value }]),
  );
}

type RequestBodyObject = NonNullable<OpenApiOperation['requestBody']>;

const MEDIA: Readonly<Record<FieldsKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

function describeBody(body: RowBody<unknown>, row: Operation, sink: SchemaSink): RequestBodyObject {
  const spec = bodySpec(body);
  if (spec.kind === 'parts') {
    const schema = spec.documented === undefined ? { type: 'object' } : sink.convert(spec.documented, 'input');
    return { required: true, content: { [MEDIA.multipart]: { schema } } };
  }
  if (spec.kind === 'bytes') {
    const types = spec.media.length === 0 ? ['application/octet-stream'] : spec.media;
    return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) };
  }
  const examples = row.examples.flatMap((example) =>
    example.body === undefined ? [] : [{ example, value: example.body }],
  );
  const media = {
    schema: sink.convert(spec.documented ?? spec.schema, 'input'),
    ...(examples.length === 0 ? {} : { examples: namedExamples(examples) }),
  };
  // A missing body is read as an empty form, so the body is required if an empty form is invalid.
  const isRefused = [spec.schema, spec.documented].some((each) => each?.safeParse({}).success === false);
  const required = spec.refusesEmpty === true || isRefused;
  return { required, content: Object.fromEntries(spec.accepts.map((kind) => [MEDIA[kind], media])) };
}

/**
 * Describes one operation. Throws if a schema cannot be written as JSON Schema, or if the parameters of `path` and
 * `params` differ.
 */
export function describeOperation(row: Operation, sink: SchemaSink): OpenApiOperation {
  const parameters = [...parametersOf(row, 'path', sink), ...parametersOf(row, 'query', sink)];
  return {
    operationId: row.id,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.tag],
    ...securityOf(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body === undefined ? {} : { requestBody: describeBody(row.body, row, sink) }),
    responses: { ...successes(row, sink), ...failures(row, sink) },
  };
}

// Security requirements, one for each policy; `{}` for a policy without credentials, and an empty list if no policy
// has credentials. Policies that OpenAPI cannot express are left out.
function securityOf({ auth }: Operation): Pick<OpenApiOperation, 'security'> {
  const accepted = policiesOf(auth).filter(({ places, scheme }) => scheme !== undefined || places.length === 0);
  const security = accepted.map(({ name, scheme }) => (scheme === undefined ? {} : { [name]: [] }));
  if (security.some((each) => Object.keys(each).length > 0)) return { security };
  return security.length > 0 ? { security: [] } : {};
}

function parametersOf(row: Operation, place: 'path' | 'query', sink: SchemaSink): readonly OpenApiParameter[] {
  const schema = place === 'path' ? row.params : row.query;
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = sink.convert(schema, 'input') as {
    properties?: Record<string, { description?: string; type?: string }>;
    required?: readonly string[];
  };
  if (place === 'path') checkNames(row.path, Object.keys(properties));
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...parameterExamples(row, place, { name, ...rest }),
  }));
}

function parameterExamples(
  row: Operation,
  place: 'path' | 'query',
  { name, type }: { readonly name: string; readonly type?: string },
): Pick<OpenApiParameter, 'examples'> {
  const isNumber = type === 'integer' || type === 'number';
  const examples = row.examples.flatMap((example) => {
    const value = (place === 'path' ? example.params : example.query)?.[name];
    if (value === undefined) return [];
    return [{ example, value: isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value }];
  });
  return examples.length === 0 ? {} : { examples: namedExamples(examples) };
}

function checkNames(path: string, names: readonly string[]): void {
  const wanted = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  if (wanted.toSorted().join() !== names.toSorted().join()) {
    throw new Error(
      `the path has the parameters ${wanted.join()}, but the params schema has ${names.join()}; make them equal`,
    );
  }
}

function successes(row: Operation, sink: SchemaSink): Record<string, OpenApiResponse> {
  const entries = Object.entries(row.responses).map(([status, spec]) => [status, success(spec, sink)] as const);
  return Object.fromEntries(entries);
}

function success({ description, schema, media }: ResponseSpec, sink: SchemaSink): OpenApiResponse {
  const shape = schema === undefined ? undefined : { schema: sink.convert(schema, 'output') };
  const types = Object.fromEntries((media ?? []).map((type) => [typeOnly(type), isJson(type) ? (shape ?? {}) : {}]));
  const content =
    shape === undefined || (media?.some(isJson) ?? false) ? types : { 'application/json': shape, ...types };
  return Object.keys(content).length === 0 ? { description } : { description, content };
}

function failures(row: Operation, sink: SchemaSink): Record<string, OpenApiResponse> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of row.errors) byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  const { mediaType, schema } = wordingOf(row.errorFormat);
  const content = { [typeOnly(mediaType)]: schema === undefined ? {} : { schema: sink.convert(schema, 'output') } };
  const entries = [...byStatus].map(([status, codes]) => {
    const meanings = [...new Set(codes)].map((code) => `\`${code}\`: ${MEANING_OF[code]}`);
    const description = `${TITLE_OF[status] ?? 'Error'}. ${meanings.join(' ')}`;
    return [String(status), { description, content }] as const;
  });
  return { ...Object.fromEntries(entries), default: { description: 'Any other failure', content } };
}

function typeOnly(media: string): string {
  return media.replace(/; charset=utf-8$/, '');
}

function isJson(media: string): boolean {
  return /[/+]json\b/.test(media);
}
