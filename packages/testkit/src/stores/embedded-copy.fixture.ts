import { type EmbeddedDatabase, openEmbedded } from '@headwater/postgres/embedded';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

/** Opens a migrated embedded database in this folder, which has none yet: a copy, as making one takes 16 s of a processor. */
export async function openCopy(dataDir: string): Promise<EmbeddedDatabase> {
  copyDatabase(dataDir);
  return openEmbedded({ dataDir });
}
