import { createHash } from 'node:crypto';
import { DomainError, placeSlug, type TehsilNames } from '@headwater/core';
import type { TableHead } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import type { KylDownloads } from './kyl-downloads.ts';
import { isUnitSheet } from '../schemas/unit-sheets.ts';
import { tehsilWorkbook } from './tehsil-workbook.ts';

/** A folder of an operator's own, to which files of places are written. Its errors say what the operator can do. */
export interface ExportFolder {
  /** Whether a file is there, by the parts of its path. */
  has(path: readonly string[]): Promise<boolean>;
  /** Text of a file; undefined where it is not there. */
  read(path: readonly string[]): Promise<string | undefined>;
  /** Writes a file whole or not at all, over the one that is there; makes its folders. */
  write(path: readonly string[], content: ReadableStream<Uint8Array> | string): Promise<void>;
}

/** What files of places are made of, and where they go. */
export interface FileSources {
  readonly stores: Pick<Stores, 'data' | 'lookups' | 'installation'>;
  readonly kyl: Pick<KylDownloads, 'records'>;
  readonly folder: ExportFolder;
  /** Of the service: another one may write the same tables otherwise. */
  readonly version: string;
}

/** Where the live system has them (wire-contract 2.3). */
const ROOT = ['data', 'stats_excel_files'];

/**
 * Writes workbook and indicators of a tehsil, unless they are of its tables' present versions and of its present micro-watersheds already.
 * Processes that share the folder take turns, so that none writes older tables over newer ones. The note of the versions comes last:
 * without it, files are written again.
 */
export async function writePlaceFiles(sources: FileSources, tehsilId: number, signal: AbortSignal): Promise<void> {
  const { stores, folder } = sources;
  const names = await stores.lookups.namesOf(tehsilId);
  if (names === undefined) return;
  const { folders, name } = placePath(names);
  const write = async (turn: AbortSignal): Promise<void> => {
    const heads = (await stores.data.tablesOf(tehsilId)).filter(isUnitSheet);
    const note = [...folders, `.${name}.version`];
    if (heads.length === 0) return;
    const version = versionOf(sources, heads, await stores.lookups.mwsUids(tehsilId));
    const workbook = [...folders, `${name}.xlsx`];
    if ((await folder.read(note)) === version && (await folder.has(workbook))) return;
    await folder.write(workbook, await tehsilWorkbook(stores.data, heads));
    turn.throwIfAborted();
    const records = await indicators(sources.kyl, tehsilId);
    if (records !== undefined) await folder.write([...folders, `${name}_KYL_filter_data.json`], records);
    await folder.write(note, version);
  };
  await stores.installation.withLock(`files of tehsil ${tehsilId}`, write, signal);
}

/** Names become a path by their slugs alone. Throws where a name has nothing that a slug keeps. */
function placePath({ state, district, tehsil }: TehsilNames): { readonly folders: string[]; readonly name: string } {
  const slugs = [state, district, tehsil].map(placeSlug);
  const [first = '', second = '', third = ''] = slugs;
  if (slugs.some((slug) => !/[a-z0-9]/.test(slug))) {
    const given = [state, district, tehsil].map((text) => JSON.stringify(text)).join(', ');
    throw new Error(`${given}: one of these names has no letter that a file's name may have; rename the place`);
  }
  return { folders: [...ROOT, first.toUpperCase(), second.toUpperCase()], name: `${second}_${third}` };
}

/** Of the tables and of the micro-watersheds: the indicators have a record of each. */
function versionOf({ version }: FileSources, heads: readonly TableHead[], uids: readonly string[]): string {
  const tables = heads.map((head) => [head.name, head.runId, head.version]);
  return createHash('sha256')
    .update(JSON.stringify([version, tables, uids]))
    .digest('hex');
}

/** As JSON; undefined where no table tells of any. */
async function indicators(kyl: FileSources['kyl'], tehsilId: number): Promise<string | undefined> {
  try {
    return JSON.stringify(await kyl.records(tehsilId));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  }
}
