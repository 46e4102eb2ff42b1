import { createHash } from 'node:crypto';
import { DomainError, placeSlug, type TehsilNames } from '@headwater/core';
import type { TableHead } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import type { KylDownloads } from './kyl-downloads.ts';
import { isUnitSheet } from '../schemas/unit-sheets.ts';
import { tehsilWorkbook } from './tehsil-workbook.ts';

/** A folder of the operator for the files of places. Each error has a remedy. */
export interface ExportFolder {
  /** True if a file exists. `path`: folders, then the name of the file. */
  has(path: readonly string[]): Promise<boolean>;
  read(path: readonly string[]): Promise<string | undefined>;
  /** Writes a file completely or not at all. */
  write(path: readonly string[], content: ReadableStream<Uint8Array> | string): Promise<void>;
}

/** Sources of the files of places, and their folder. */
export interface FileSources {
  readonly stores: Pick<Stores, 'data' | 'lookups' | 'places' | 'installation'>;
  readonly kyl: Pick<KylDownloads, 'records'>;
  readonly folder: ExportFolder;
  /** Version of the service. Another version may write tables differently. */
  readonly version: string;
}

/** Folder in which existing tools expect the files. */
const ROOT = ['data', 'stats_excel_files'];

/**
 * Writes the files of a tehsil if their versions have changed or the workbook is missing. Only one process at a time
 * writes the files of a tehsil. The file with the versions is written last, so that the next call writes all files
 * again if a write fails.
 */
export async function writePlaceFiles(sources: FileSources, tehsilId: number, signal: AbortSignal): Promise<void> {
  const { stores, folder } = sources;
  const [names] = await stores.places.namesOf([tehsilId]);
  if (names === undefined) return;
  const { folders, name } = placePath(names);
  const write = async (lockLost: AbortSignal): Promise<void> => {
    const heads = (await stores.data.tablesOf(tehsilId)).filter(isUnitSheet);
    const note = [...folders, `.${name}.version`];
    if (heads.length === 0) return;
    const version = versionOf(sources, heads, await stores.lookups.mwsUids(tehsilId));
    const workbook = [...folders, `${name}.xlsx`];
    if ((await folder.read(note)) === version && (await folder.has(workbook))) return;
    await folder.write(workbook, await tehsilWorkbook(stores.data, heads));
    lockLost.throwIfAborted();
    const records = await indicators(sources.kyl, tehsilId);
    if (records !== undefined) await folder.write([...folders, `${name}_KYL_filter_data.json`], records);
    await folder.write(note, version);
  };
  await stores.installation.withLock(`files of tehsil ${tehsilId}`, write, signal);
}

/** Path of a place's files. Throws if a slug has no letter or digit. */
function placePath({ state, district, tehsil }: TehsilNames): { readonly folders: string[]; readonly name: string } {
  const slugs = [state, district, tehsil].map(placeSlug);
  const [first = '', second = '', third = ''] = slugs;
  if (slugs.some((slug) => !/[a-z0-9]/.test(slug))) {
    const quoted = [state, district, tehsil].map((text) => JSON.stringify(text)).join(', ');
    throw new Error(`${quoted}: one of these names has no letter or digit that a file name can have; rename the place`);
  }
  return { folders: [...ROOT, first.toUpperCase(), second.toUpperCase()], name: `${second}_${third}` };
}

function versionOf({ version }: FileSources, heads: readonly TableHead[], uids: readonly string[]): string {
  const tables = heads.map((head) => [head.name, head.runId, head.version]);
  return createHash('sha256')
    .update(JSON.stringify([version, tables, uids]))
    .digest('hex');
}

async function indicators(kyl: FileSources['kyl'], tehsilId: number): Promise<string | undefined> {
  try {
    return JSON.stringify(await kyl.records(tehsilId));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  }
}
