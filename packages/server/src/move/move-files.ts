import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { DomainError, invalidField } from '@headwater/core';
import { type DumpFile, downloadFile } from '@headwater/ingest';
import { digestOfFile, isLocalFile } from '@headwater/net/files';

/** Folders and settings for reading the files that a dump names. */
export interface FileSource {
  /** Folder of the dump; paths in its records are relative to it. */
  readonly folder: string;
  /** Folder for downloads. An interrupted download continues there. */
  readonly downloads: string;
  /** Allowed origins of hosts that are not public. */
  readonly allowedOrigins: readonly string[];
  readonly signal: AbortSignal;
  /** Called with messages for the operator. */
  readonly notice: (message: string) => void;
}

/** A file of a record on this machine's disk. */
export interface FoundFile {
  readonly path: string;
  readonly fileName: string;
  /** Removes the file if it was downloaded. */
  readonly release: () => Promise<void>;
}

/** Largest download, bytes; the largest raster of a tehsil is smaller. */
const MOST_BYTES = 4e9;
/** Timeout of a server that does not respond, ms. */
const PATIENCE_MS = 300_000;

/**
 * Text that changes with the content of a file: the SHA-256 of a local file; for an address, the address with the
 * record's SHA-256 or version.
 */
export async function contentOf(source: FileSource, file: DumpFile, version = ''): Promise<string> {
  if (file.path === undefined) return `${file.url ?? ''} ${file.sha256 ?? version}`;
  const { sha256 } = await digestOfFile(await localPath(source, file.path), source.signal);
  if (file.sha256 !== undefined && file.sha256 !== sha256)
    throw invalidField(
      'file.sha256',
      `the file ${file.path} has the SHA-256 ${sha256}, not the one of the dump; copy the file again`,
    );
  return sha256;
}

/** Finds a local file or downloads a file. Throws `validation` or `input_data` for a refused file. */
export async function findFile(source: FileSource, file: DumpFile): Promise<FoundFile> {
  if (file.path !== undefined) {
    const path = await localPath(source, file.path);
    return { path, fileName: basename(path), release: async () => {} };
  }
  return await download(source, file);
}

async function localPath({ folder }: FileSource, path: string): Promise<string> {
  const within = await realpath(folder);
  if (path.includes('\0') || !(await isLocalFile(resolve(within, path), [within]))) {
    const problem = `there is no file ${JSON.stringify(path.slice(0, 200))} in the folder of the dump`;
    throw invalidField('file.path', `${problem}; copy the file there, and give its path relative to that folder`);
  }
  return await realpath(resolve(within, path));
}

async function download(source: FileSource, { url = '', sha256 }: DumpFile): Promise<FoundFile> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidField('file.url', 'is not an http or https address; correct it');
  const name = createHash('sha256')
    .update(`${url} ${sha256 ?? ''}`)
    .digest('hex');
  const folder = join(source.downloads, name);
  const { path } = await downloadFile({
    url,
    folder,
    sha256,
    isForeign: true,
    mayBeRaster: true,
    limits: { mostBytes: MOST_BYTES, patienceMs: PATIENCE_MS },
    network: { settings: { allowedOrigins: source.allowedOrigins } },
    notice: source.notice,
    signal: source.signal,
  }).catch(explained);
  const release = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  return { path, fileName: `file${extname(path)}`, release };
}

/** Throws `input_data` if the server did not respond, so that the move refuses only this record and continues. */
function explained(error: unknown): never {
  if (error instanceof DomainError && error.code === 'unavailable')
    throw new DomainError('input_data', `${error.message}; the next call of the command tries this file again`, {
      cause: error,
    });
  throw error;
}
