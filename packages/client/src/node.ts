import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HeadwaterClient } from './client.ts';
import type { DownloadOptions } from './download.ts';
import { clientError } from './errors.ts';

/** Options of a download to a file. */
export interface FileOptions extends DownloadOptions {
  /** Receives the number of written bytes and the size of the file; the size may be undefined. */
  readonly onProgress?: ((written: number, bytes: number | undefined) => void) | undefined;
}

/**
 * Saves a file (href of an asset or link, or path of the service) to `path`, whose folder must exist. Returns the
 * number of bytes.
 */
export async function downloadToFile(
  client: Pick<HeadwaterClient, 'download'>,
  address: string,
  { path, onProgress, ...options }: FileOptions & { readonly path: string },
): Promise<number> {
  const { stream, bytes } = await client.download(address, options);
  const part = `${path}.${randomUUID()}.part`;
  let written = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      written += chunk.byteLength;
      onProgress?.(written, bytes);
      done(null, chunk);
    },
  });
  try {
    const { signal } = options;
    await pipeline(Readable.fromWeb(stream), counted, createWriteStream(part), signal === undefined ? {} : { signal });
    if (bytes !== undefined && written !== bytes) throw new TypeError('the connection ended');
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    // `fetch` reports a lost connection as a TypeError; errors of the file system have other types.
    if (!(error instanceof TypeError)) throw error;
    const message = `${path}: the connection ended after ${written} of ${bytes ?? 'all'} bytes; try again`;
    throw clientError({ code: 'no_response', message, cause: error });
  }
  return written;
}
