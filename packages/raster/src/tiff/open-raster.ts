import { type Within, openLocalSync } from '@headwater/net/files';
import { closeSync, existsSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDomainError } from '@headwater/core/errors';
import { stableAddress } from '../remote/stable-address.ts';
import type { Remote } from '../remote/remote.ts';
import { isHttp, badFile } from './bad-file.ts';
import { openHttpSource, resumeHttpSource } from './http-source.ts';
import type { TiffLayout } from './layout.ts';
import { OpenRaster, type RasterFile } from './raster-file.ts';
import { readLayout } from './read-layout.ts';
import { TileDecoder } from './tile-decoder.ts';
import { type ByteSource, LIMITS } from './header-bytes.ts';

interface FileAccess extends Partial<Pick<Remote, 'network'>> {
  readonly cache?: Remote['cache'] | undefined;
  readonly within?: Within;
}

/**
 * Opens a path, file: URL or http(s) URL and parses its headers; `band` (from 1) selects a band. Throws `input_data`
 * with file, problem and remedy, and `unavailable` if the server does not respond.
 */
export async function openRaster(
  href: string,
  options: FileAccess & { decoder?: TileDecoder; signal?: AbortSignal; band?: number } = {},
): Promise<RasterFile> {
  const { cache } = options;
  const source = isHttp(href) ? await openHttpSource(href, options) : openFileSource(href, options.within);
  try {
    return new OpenRaster(await readLayout(source, options.band), source, options.decoder ?? new TileDecoder());
  } catch (error) {
    source.close();
    // The cause may be damaged bytes in the cache. So the cached head is removed, and the file is opened again without
    // the cache.
    if (source.version === undefined || cache === undefined || !isDomainError(error) || error.code !== 'input_data')
      throw error;
    cache.removeHead(stableAddress(href));
    return await openRaster(href, { ...options, cache: undefined });
  }
}

/** Opens a file with a known layout, without parsing the headers. */
export function openLayout(layout: TiffLayout, decoder: TileDecoder, access: FileAccess = {}): RasterFile {
  const source = isHttp(layout.href) ? resumeHttpSource(layout, access) : openFileSource(layout.href, access.within);
  return new OpenRaster(layout, source, decoder);
}

/**
 * Opens a regular local file in the folders `within`. Reads are synchronous, because they mostly copy from the page
 * cache.
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
      const count = Math.max(0, Math.min(length, size - offset));
      const target = into !== undefined && into.byteLength >= count ? into : new Uint8Array(count);
      return target.subarray(0, readFully(fd, target, { offset, length: count }));
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
        `${basename(side)} next to it has ${size} bytes, more than the limit of ${LIMITS.sideBytes} for reading scale, offset and nodata; ` +
          'make it smaller, or include its contents in the file with `gdal_translate -of COG`',
      );
    const bytes = new Uint8Array(size);
    return new TextDecoder().decode(bytes.subarray(0, readFully(fd, bytes, { offset: 0, length: size })));
  } finally {
    closeSync(fd);
  }
}

function readFully(fd: number, target: Uint8Array, span: { offset: number; length: number }): number {
  let done = 0;
  while (done < span.length) {
    const count = readSync(fd, target, done, span.length - done, span.offset + done);
    if (count === 0) break;
    done += count;
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
  // GDAL can write the mask of a file to a separate `.msk` file. This reader would ignore that mask.
  throw badFile(
    path,
    `its mask is in a separate file (${basename(path)}.msk), which is not supported; include it with \`gdal_translate -of COG\``,
  );
}
