import type { OpenApiOperation } from '../openapi-document.ts';
import type { Operation } from '../operation.ts';
import { bodySpec, type FieldsKind, type RowBody } from '../row-body.ts';
import type { SchemaSink } from './json-schema.ts';

type RequestBodyObject = NonNullable<OpenApiOperation['requestBody']>;

const MEDIA: Readonly<Record<FieldsKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** The request body object of a row: each kind that it takes with the schema of its fields. */
export function describeBody(body: RowBody<unknown>, row: Operation, sink: SchemaSink): RequestBodyObject {
  const spec = bodySpec(body);
  if (spec.kind === 'parts') return { required: true, content: { [MEDIA.multipart]: { schema: { type: 'object' } } } };
  if (spec.kind === 'bytes') {
    const types = spec.media.length === 0 ? ['application/octet-stream'] : spec.media;
    return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) };
  }
  const works = row.examples.find((example) => example.status < 400 && example.body !== undefined);
  const media = {
    schema: sink.convert(spec.documented ?? spec.schema, 'input'),
    ...(works === undefined ? {} : { example: works.body }),
  };
  return { required: true, content: Object.fromEntries(spec.accepts.map((kind) => [MEDIA[kind], media])) };
}
