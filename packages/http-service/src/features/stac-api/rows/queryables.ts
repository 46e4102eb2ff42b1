import { EXAMPLE_COLLECTION } from '../../../rows/example-world.ts';
import { collectionPath, SCHEMA_TYPE } from '../handlers/collections.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { prepared } from '../../../caching/prepared.ts';
import { paths } from '../../../wire/paths.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import { CollectionParams, QueryablesBody } from '../schemas/collection-schemas.ts';
import { collectionQueryables, queryablesSchema } from '../schemas/queryables.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { PARAMETER_ERRORS } from '../../../rows/common.ts';
import { stacApiNotFound, STAC_API_ROW } from './search-items.ts';

/** Maximum number of Items whose properties are read. A tehsil has fewer Items. */
const MOST_ITEMS = 1000;

const RESPONSES = {
  200: { description: 'JSON Schema of the queryables', schema: QueryablesBody, media: [SCHEMA_TYPE] },
  304: NOT_MODIFIED,
};

const getQueryables = operation({
  ...STAC_API_ROW,
  id: 'getStacQueryables',
  method: 'GET',
  path: paths.stacQueryables,
  summary: 'Returns the properties by which Items can be filtered, as a JSON Schema',
  responses: RESPONSES,
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'queryables', status: 200 }],
  handler(_input, { baseUrl }) {
    return schemaReply(queryablesSchema(stacApiAddresses(baseUrl).queryables, 'Queryables of all Items'));
  },
});

const getCollectionQueryables = operation({
  ...STAC_API_ROW,
  id: 'getStacCollectionQueryables',
  method: 'GET',
  path: paths.stacCollectionQueryables,
  summary: 'Returns the properties by which Items of a Collection can be filtered, as a JSON Schema',
  params: CollectionParams,
  responses: RESPONSES,
  errors: stacApiNotFound,
  examples: [
    { name: 'sample', params: { collection_id: EXAMPLE_COLLECTION }, status: 200 },
    { name: 'unknown', params: { collection_id: 'nowhere' }, status: 404 },
  ],
  async handler({ params: { collection_id: id } }, deps) {
    await collectionPath(deps, id);
    const address = stacApiAddresses(deps.baseUrl).collectionQueryables(id);
    const properties = await deps.stores.search.properties(id, MOST_ITEMS);
    return schemaReply(collectionQueryables(address, `Queryables of Items of ${id}`, properties));
  },
});

function schemaReply(schema: object): ReturnType<typeof prepared> {
  return prepared(JSON.stringify(schema), { type: SCHEMA_TYPE });
}

/** Operations of the properties by which Items can be filtered. */
export const stacApiQueryableOperations = [getQueryables, getCollectionQueryables] satisfies readonly Operation[];
