import type { OpenApiOperation } from './document.ts';
import type { Operation } from '../rows/operation.ts';
import { bodySpec, type FieldsKind, type RowBody } from '../seam/row-body.ts';
import type { SchemaSink } from './json-schema.ts';
import { namedExamples } from './named-examples.ts';

type RequestBodyObject = NonNullable<OpenApiOperation['requestBody']>;

const MEDIA: Readonly<Record<FieldsKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** The request body object of a row: each kind that it takes with the schema of its fields. */
export function describeBody(body: RowBody<unknown>, row: Operation, sink: SchemaSink): RequestBodyObject {
  const spec = bodySpec(body);
  if (spec.kind === 'parts') {
    const schema = spec.documented === undefined ? { type: 'object' } : sink.convert(spec.documented, 'input');
    return { required: true, content: { [MEDIA.multipart]: { schema } } };
  }
  if (spec.kind === 'bytes') {
    const types = spec.media.length === 0 ? ['application/octet-stream'] : spec.media;
    return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) };
  }
  const given = row.examples.flatMap((example) =>
    example.body === undefined ? [] : [{ example, value: example.body }],
  );
  const media = {
    schema: sink.convert(spec.documented ?? spec.schema, 'input'),
    ...(given.length === 0 ? {} : { examples: namedExamples(given) }),
  };
  // No body is read as an empty form.
  const isRefused = [spec.schema, spec.documented].some((each) => each?.safeParse({}).success === false);
  const required = spec.refusesEmpty === true || isRefused;
  return { required, content: Object.fromEntries(spec.accepts.map((kind) => [MEDIA[kind], media])) };
}
