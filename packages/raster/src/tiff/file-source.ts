import { closeSync, existsSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDomainError } from '@headwater/core/errors';
import { openLocalSync } from '@headwater/net/files';
import type { Within } from '@headwater/net/files';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './header-bytes.ts';
import { LIMITS } from './limits.ts';

/**
 * A local file. Reads are synchronous on purpose: they are copies from the page cache, and the callers are worker
 * threads that would otherwise idle for a turn of the event loop per tile. Only a regular file is opened, `within` its folders.
 */
export function openFileSource(href: string, within?: Within): ByteSource {
  const path = href.startsWith('file:') ? fileURLToPath(href) : href;
  const opened = openFile(path, within);
  const { size } = opened;
  let fd: number | null = opened.fd;
  return {
    href,
    size,
    concurrency: 1,
    read(offset, length, into) {
      if (fd === null) throw badFile(path, 'read after it was closed');
      const wanted = Math.max(0, Math.min(length, size - offset));
      const target = into !== undefined && into.byteLength >= wanted ? into : new Uint8Array(wanted);
      return target.subarray(0, readFully(fd, target, { offset, wanted }));
    },
    sideText: () => sideText(path, within),
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

function sideText(path: string, within: Within): string | undefined {
  const side = `${path}.aux.xml`;
  if (!existsSync(side)) return undefined;
  const { fd, size } = openFile(side, within);
  try {
    if (size > LIMITS.sideBytes)
      throw badFile(
        path,
        `${basename(side)} next to it has ${size} bytes, more than ${LIMITS.sideBytes}, and is not searched for scale, offset and nodata; ` +
          'make it smaller, or write what it says into the file with `gdal_translate -of COG`',
      );
    const bytes = new Uint8Array(size);
    return new TextDecoder().decode(bytes.subarray(0, readFully(fd, bytes, { offset: 0, wanted: size })));
  } finally {
    closeSync(fd);
  }
}

function readFully(fd: number, target: Uint8Array, span: { offset: number; wanted: number }): number {
  let done = 0;
  while (done < span.wanted) {
    const got = readSync(fd, target, done, span.wanted - done, span.offset + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

function openFile(path: string, within: Within): ReturnType<typeof openLocalSync> {
  try {
    const opened = openLocalSync(path, within);
    if (!existsSync(`${path}.msk`)) return opened;
    closeSync(opened.fd);
  } catch (cause) {
    if (isDomainError(cause)) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    const problem =
      code === 'ENOENT'
        ? 'the file does not exist; put it back or remove its Item'
        : `cannot be opened (${code}); check its permissions`;
    throw badFile(path, problem, cause);
  }
  // GDAL writes it next to files that it must not change.
  throw badFile(
    path,
    `its mask lies in a file of its own (${basename(path)}.msk), which is not read; put it into the file with \`gdal_translate -of COG\``,
  );
}
