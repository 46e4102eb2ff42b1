import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DomainError, messageOf } from '@headwater/core/errors';

/** Bytes of the largest file of labels or legend that is read. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Text of a file in UTF-8. Throws `input_data` that names the file and what to do. */
export async function readText(path: string): Promise<string> {
  const file = await open(path).catch((cause: unknown) => {
    throw new DomainError('input_data', `${path}: cannot be opened (${messageOf(cause)}); check the path`, { cause });
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new DomainError('input_data', `${path}: it is no file`);
    if (stats.size > MOST_BYTES)
      throw new DomainError('input_data', `${path}: it is larger than the ${MOST_BYTES} bytes that are read; split it`);
    return (await file.readFile('utf8')).replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}

/** Throws `input_data` for a local raster that is not there, in words for whoever typed its path. */
export function checkThere(path: string): void {
  if (!existsSync(path)) throw new DomainError('input_data', `${path}: it does not exist; check the path`);
}

/** A JSON document out of a text; `from` names it in messages. Throws `input_data`. */
export function parseDocument(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('input_data', `${from}: it is no JSON (${messageOf(cause)})`, { cause });
  }
}
