import { type EmbeddedDatabase, openEmbedded } from '@headwater/postgres/embedded';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

/**
 * Opens an embedded database in an empty folder. The database is a copy of a migrated template, because the migration
 * of a new database takes 16 s of processor time.
 */
export async function openCopy(dataDir: string): Promise<EmbeddedDatabase> {
  await copyDatabase(dataDir);
  return openEmbedded({ dataDir });
}
