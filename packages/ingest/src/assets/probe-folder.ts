import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storageError } from '@headwater/net/files';

/** Writes a few bytes into a folder, which is made where it is absent, and removes them. Throws `storage_full` or what is in the way. */
export async function probeFolder(folder: string): Promise<void> {
  const file = join(folder, `.probe-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, 'headwater');
  } catch (error) {
    throw storageError(error, folder);
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}
