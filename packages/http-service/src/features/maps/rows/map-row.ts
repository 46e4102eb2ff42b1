import { z } from 'zod';
import { NOT_MODIFIED, PRECONDITION_FAILED } from '../../../rows/page-queries.ts';
import { operation, type Operation, type OperationExample, type ResponseSpec } from '../../../rows/operation.ts';
import { numberInDocument, text } from '../../../wire/text.ts';
import { answerMap } from '../handlers/answer-map.ts';
import { keyValuePairs, type Parameters } from '../schemas/key-value-pairs.ts';
import { OgcProblem } from '../schemas/ogc-documents.ts';

/** An operation that the map server answers. */
export interface MapRow {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly media: readonly string[];
  readonly schema?: z.ZodType;
  readonly params?: Readonly<Record<string, string>>;
  /** Documented parameters. All others are accepted too. */
  readonly query?: Parameters;
  readonly examples: readonly OperationExample[];
  /** True if programs read some responses in ranges. */
  readonly hasRanges?: boolean;
}

/** Media types of errors: exception reports, JSON, and problems of the OGC APIs. */
const ERROR_MEDIA = ['application/xml', 'application/vnd.ogc.se_xml', 'application/json', 'application/problem+json'];

const WRONG: ResponseSpec = {
  description: 'The request is wrong: the exception report names the parameter, the problem and the remedy.',
  media: ERROR_MEDIA,
  schema: OgcProblem,
};
const ABSENT: ResponseSpec = {
  description: 'There is no such workspace, layer or resource.',
  media: ERROR_MEDIA,
  schema: OgcProblem,
};

/** Error responses of a map operation, in the form of each protocol. */
export const MAP_ERRORS: Readonly<Record<number, ResponseSpec>> = { 400: WRONG, 404: ABSENT };

/** The success response of a map operation. */
export function mapSuccess(
  { media, schema }: Pick<MapRow, 'media' | 'schema'>,
  description = 'The response in the form of the protocol',
): ResponseSpec {
  return { description, media, ...(schema === undefined ? {} : { schema }) };
}

const TILE_PARTS = new Set(['zoom', 'row', 'col']);

function pathText(name: string): z.ZodType<string> {
  return TILE_PARTS.has(name) ? numberInDocument(text(200), { type: 'integer', minimum: 0 }) : text(200);
}

/** Creates an operation for GET and HEAD requests that the map server answers. */
export function mapRow({
  id,
  path,
  summary,
  description,
  media,
  schema,
  params = {},
  query = {},
  examples,
  hasRanges = false,
}: MapRow): Operation {
  const shape = Object.fromEntries(
    Object.entries(params).map(([name, meaning]) => [name, pathText(name).describe(meaning)]),
  );
  const success = schema === undefined ? { media } : { media, schema };
  return operation({
    id,
    method: 'GET',
    path,
    auth: 'public',
    tag: 'map',
    summary,
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(params).length === 0 ? {} : { params: z.object(shape) }),
    query: keyValuePairs(query, []),
    foldQueryCase: true,
    joinedQuery: ['subset'],
    responses: {
      200: mapSuccess(success),
      ...(hasRanges ? { 206: mapSuccess({ media }, 'The requested range'), 412: PRECONDITION_FAILED } : {}),
      304: NOT_MODIFIED,
      ...MAP_ERRORS,
    },
    errors: ['unavailable', 'internal', ...(hasRanges ? (['range_not_satisfiable'] as const) : [])],
    errorFormat: 'ogc',
    examples,
    handler: (input, deps) => answerMap(deps, input),
  });
}
