import { type EmbeddedDatabase, openEmbedded } from '@headwater/postgres/embedded';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

/**
 * Opens an embedded database in an empty folder. It is a copy of a migrated template, because migrating a new one
 * takes 16 s of processor time.
 */
export async function openCopy(dataDir: string): Promise<EmbeddedDatabase> {
  await copyDatabase(dataDir);
  return openEmbedded({ dataDir });
}
