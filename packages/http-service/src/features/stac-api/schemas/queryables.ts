import type { ItemProperty } from '@headwater/core/ports';
import { FILTER_SIZE } from './filter.ts';

type Queryable = Readonly<Record<string, unknown>>;

const ALWAYS: Readonly<Record<string, Queryable>> = {
  id: { title: 'Id of the Item', type: 'string' },
  collection: { title: 'Id of its Collection', type: 'string' },
  geometry: { title: 'Extent of the layer', $ref: 'https://geojson.org/schema/Geometry.json' },
  datetime: { title: 'Time of publication', type: 'string', format: 'date-time' },
  start_datetime: { title: 'Start of the data', type: 'string', format: 'date-time' },
  end_datetime: { title: 'End of the data', type: 'string', format: 'date-time' },
  title: { title: 'Title', type: 'string' },
  description: { title: 'Description', type: 'string' },
  version: { title: 'Version', type: 'string' },
};

const OFTEN: Readonly<Record<string, Queryable>> = {
  created: { title: 'Time of creation', type: 'string', format: 'date-time' },
  updated: { title: 'Time of the last change', type: 'string', format: 'date-time' },
  gsd: { title: 'Size of a pixel on the ground, m', type: 'number' },
  'proj:code': { title: 'Reference system of a raster', type: 'string' },
  'table:row_count': { title: 'Rows of the table', type: 'integer' },
};

/**
 * JSON Schema of the properties that all or many Items have. `address`: address of the schema. Filters may also use
 * other properties.
 */
export function queryablesSchema(address: string, title: string): object {
  return schema(address, title, { ...ALWAYS, ...OFTEN });
}

/** JSON Schema of the properties of one Collection's Items. */
export function collectionQueryables(address: string, title: string, properties: readonly ItemProperty[]): object {
  const own = properties.map((property) => [property.name, queryable(property)] as const);
  return schema(address, title, { ...Object.fromEntries(own), ...ALWAYS });
}

/** Schema of a property: from `OFTEN`, otherwise from the types of the values. */
function queryable({ name, types, isInstant }: ItemProperty): Queryable {
  const usual = OFTEN[name];
  if (usual !== undefined) return usual;
  const [only, ...others] = types;
  return {
    title: name,
    type: others.length === 0 ? only : types,
    ...(isInstant ? { format: 'date-time' } : {}),
  };
}

function schema(address: string, title: string, properties: Readonly<Record<string, Queryable>>): object {
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: address,
    type: 'object',
    title,
    description: FILTER_SIZE,
    properties,
    additionalProperties: true,
  };
}
