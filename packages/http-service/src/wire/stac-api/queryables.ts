/** What Items can be filtered by that all or many of them have. */
export const QUERYABLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  id: { title: 'Id of the Item', type: 'string' },
  collection: { title: 'Id of its Collection', type: 'string' },
  geometry: { title: 'Extent of the layer', $ref: 'https://geojson.org/schema/Geometry.json' },
  datetime: { title: 'Time of publication', type: 'string', format: 'date-time' },
  start_datetime: { title: 'Begin of the data', type: 'string', format: 'date-time' },
  end_datetime: { title: 'End of the data', type: 'string', format: 'date-time' },
  created: { title: 'Time of creation', type: 'string', format: 'date-time' },
  updated: { title: 'Time of the last change', type: 'string', format: 'date-time' },
  title: { title: 'Title', type: 'string' },
  description: { title: 'Description', type: 'string' },
  version: { title: 'Version', type: 'string' },
  gsd: { title: 'Size of a pixel on the ground, m', type: 'number' },
  'proj:code': { title: 'Reference system of a raster', type: 'string' },
  'table:row_count': { title: 'Rows of the table', type: 'integer' },
};

/** A JSON Schema of what can be filtered by, at its own address; any other property may be named too. */
export function queryablesSchema(address: string, title: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: address,
    type: 'object',
    title,
    properties: QUERYABLES,
    additionalProperties: true,
  };
}
