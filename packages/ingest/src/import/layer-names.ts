import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DomainError } from '@headwater/core';

/** Layers that are looked at: a file of boundaries has a handful. */
const MOST_LAYERS = 1000;

/** Names of the layers of a GeoPackage; none for a file of another format, which has a single one. Throws `input_data` for a broken one. */
export async function layerNames(path: string): Promise<readonly string[]> {
  if (!path.endsWith('.gpkg')) return [];
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false });
  try {
    database.exec('pragma trusted_schema = off; pragma query_only = on;');
    const list = `select table_name as name from gpkg_contents where data_type = 'features' limit ${MOST_LAYERS}`;
    return database
      .prepare(list)
      .all()
      .map(({ name }) => String(name));
  } catch (cause) {
    throw new DomainError('input_data', 'The list of layers of this GeoPackage cannot be read; copy it anew.', {
      cause,
    });
  } finally {
    database.close();
  }
}
