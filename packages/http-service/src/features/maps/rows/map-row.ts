import { z } from 'zod';
import { NOT_MODIFIED, PRECONDITION_FAILED } from '../../../rows/page-queries.ts';
import { operation, type Operation, type OperationExample, type ResponseSpec } from '../../../rows/operation.ts';
import { text } from '../../../wire/text.ts';
import { answerMap } from '../handlers/answer-map.ts';
import { keyValuePairs, type Parameters } from '../schemas/key-value-pairs.ts';

/** A row that the map server answers. */
export interface MapRow {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Media types of its responses, without those of its errors. */
  readonly media: readonly string[];
  /** Descriptions of the parameters of its path, by name. */
  readonly params?: Readonly<Record<string, string>>;
  /** Parameters that the OpenAPI document lists; all others are accepted too. */
  readonly query?: Parameters;
  readonly examples: readonly OperationExample[];
  /** True if some of its responses are files, of which programs request ranges. */
  readonly hasRanges?: boolean;
}

/** Media types of errors: exception reports of the OGC services, JSON where the client wants JSON, and problems of the OGC APIs. */
const ERROR_MEDIA = ['application/xml', 'application/vnd.ogc.se_xml', 'application/json', 'application/problem+json'];
const JSON_OBJECT = z.record(z.string(), z.unknown());

const WRONG: ResponseSpec = {
  description: 'The request is wrong: the exception report names the parameter, the problem and the remedy.',
  media: ERROR_MEDIA,
  schema: JSON_OBJECT,
};
const ABSENT: ResponseSpec = {
  description: 'There is no such workspace, layer or resource.',
  media: ERROR_MEDIA,
  schema: JSON_OBJECT,
};

/** Errors of a map row in the forms of its protocol. Put them next to the statuses of its other responses. */
export const MAP_ERRORS: Readonly<Record<number, ResponseSpec>> = { 400: WRONG, 404: ABSENT };

/** The success of a map row. A schema is needed only if it can be JSON. */
export function mapSuccess(
  media: readonly string[],
  description = 'The answer in the form of its protocol',
): ResponseSpec {
  const isJson = media.some((each) => /[/+]json\b/.test(each));
  return { description, media, ...(isJson ? { schema: JSON_OBJECT } : {}) };
}

/** Creates the row of a GET, and HEAD, that the map server answers. */
export function mapRow({
  id,
  path,
  summary,
  description,
  media,
  params = {},
  query = {},
  examples,
  hasRanges = false,
}: MapRow): Operation {
  const shape = Object.fromEntries(
    Object.entries(params).map(([name, meaning]) => [name, text(200).describe(meaning)]),
  );
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
      200: mapSuccess(media),
      ...(hasRanges ? { 206: mapSuccess(media, 'The requested range'), 412: PRECONDITION_FAILED } : {}),
      304: NOT_MODIFIED,
      ...MAP_ERRORS,
    },
    errors: ['unavailable', 'internal', ...(hasRanges ? (['range_not_satisfiable'] as const) : [])],
    errorFormat: 'ogc',
    examples,
    handler: (input, deps) => answerMap(deps, input),
  });
}
