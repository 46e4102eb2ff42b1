import { open } from 'node:fs/promises';
import { mib, type ReadLimits } from './limits.ts';
import { messageOf, ReadError } from '../errors.ts';

/**
 * The bytes of a file; undefined if there is no file at the path. Throws `ReadError` if the path is not a file, or if
 * the file is larger than the limit.
 */
export async function readFileBytes(path: string, { mostBytes }: ReadLimits): Promise<Uint8Array | undefined> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new ReadError(`${path} cannot be opened: ${messageOf(error)}`);
  });
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ReadError(`${path} is not a file`);
    if (found.size > mostBytes) throw new ReadError(`${path} is larger than ${mib(mostBytes)}`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
