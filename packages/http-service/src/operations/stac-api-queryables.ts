import { EXAMPLE_COLLECTION } from '../example-world.ts';
import { collectionById, SCHEMA_TYPE } from '../handlers/stac-api/collections.ts';
import { operation, type Operation } from '../operation.ts';
import { prepared } from '../prepared.ts';
import { paths } from '../wire/paths.ts';
import { stacApiAddresses } from '../wire/stac-api/addresses.ts';
import { CollectionParams, QueryablesBody } from '../wire/stac-api/collection-schemas.ts';
import { queryablesSchema } from '../wire/stac-api/queryables.ts';
import { CALLER_HAS_IT } from './answers.ts';
import { PARAMETER_ERRORS } from './common.ts';
import { stacApiNotFound, STAC_API_ROW } from './stac-api-items.ts';

const RESPONSES = {
  200: { description: 'JSON Schema of the queryables', schema: QueryablesBody, media: [SCHEMA_TYPE] },
  304: CALLER_HAS_IT,
};

const getQueryables = operation({
  ...STAC_API_ROW,
  id: 'getStacQueryables',
  method: 'GET',
  path: paths.stacQueryables,
  summary: 'What Items can be filtered by, as a JSON Schema',
  responses: RESPONSES,
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'queryables', status: 200 }],
  handler(_input, { baseUrl }) {
    return schemaReply(stacApiAddresses(baseUrl).queryables, 'Queryables of all Items');
  },
});

const getCollectionQueryables = operation({
  ...STAC_API_ROW,
  id: 'getStacCollectionQueryables',
  method: 'GET',
  path: paths.stacCollectionQueryables,
  summary: 'What Items of a Collection can be filtered by, as a JSON Schema',
  params: CollectionParams,
  responses: RESPONSES,
  errors: stacApiNotFound,
  examples: [
    { name: 'sample', params: { collection_id: EXAMPLE_COLLECTION }, status: 200 },
    { name: 'unknown', params: { collection_id: 'nowhere' }, status: 404 },
  ],
  async handler({ params: { collection_id: id } }, deps) {
    await collectionById(deps, id);
    return schemaReply(stacApiAddresses(deps.baseUrl).collectionQueryables(id), `Queryables of Items of ${id}`);
  },
});

function schemaReply(address: string, title: string): ReturnType<typeof prepared> {
  return prepared(JSON.stringify(queryablesSchema(address, title)), { type: SCHEMA_TYPE });
}

/** What the STAC API can filter by. */
export const stacApiQueryableOperations = [getQueryables, getCollectionQueryables] satisfies readonly Operation[];
