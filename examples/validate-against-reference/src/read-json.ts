import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DomainError, messageOf } from '@headwater/core/errors';

const MOST_BYTES = 256 * 1024 * 1024;

/** Reads a UTF-8 file. Throws `input_data` with the file and the remedy. */
export async function readText(path: string): Promise<string> {
  const file = await open(path).catch((cause: unknown) => {
    throw new DomainError('input_data', `${path}: cannot be opened (${messageOf(cause)}); check the path`, { cause });
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new DomainError('input_data', `${path}: not a file; check the path`);
    if (stats.size > MOST_BYTES)
      throw new DomainError(
        'input_data',
        `${path}: the file is larger than the limit of ${MOST_BYTES} bytes; split it`,
      );
    return (await file.readFile('utf8')).replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}

/** Throws `input_data` if a local file does not exist. */
export function checkExists(path: string): void {
  if (!existsSync(path)) throw new DomainError('input_data', `${path}: the file does not exist; check the path`);
}

/** Parses JSON; `from` names the document in messages. Throws `input_data` for invalid JSON. */
export function parseDocument(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('input_data', `${from}: not JSON (${messageOf(cause)})`, { cause });
  }
}
