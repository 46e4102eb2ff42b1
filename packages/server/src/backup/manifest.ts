import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { unlessMissing } from '@headwater/net/files';
import { ConfigError } from '../config/config-error.ts';
import { STAGING } from '../database.ts';

/** File that makes a folder a complete backup. It is written last. */
export const MANIFEST = 'manifest.json';

/** Beginning of the name of an incomplete backup. */
export const UNFINISHED = '.unfinished-';

/** Version of the format of backups. Backups with another version are refused. */
export const FORMAT = 1;

/** Folder in DATA_DIR for files that a restore replaces. It is removed when the restore has ended. */
export const REPLACED = '.replaced';

const digest = { bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) };
/**
 * Names that no path of a backup may begin with. Restoring them would replace the database, or files that the restore
 * needs.
 */
const NEVER_RESTORED = new Set(['db', 'scratch', 'logs', STAGING, REPLACED]);

function isPathBelow(text: string): boolean {
  const [top = '', ...rest] = text.split('/');
  if (text.includes('\0') || NEVER_RESTORED.has(top)) return false;
  return [top, ...rest].every((part) => !['', '.', '..'].includes(part));
}

const path = z.string().refine(isPathBelow, 'not a path that a backup may contain');
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const column = z.object({ name: identifier, type: z.string().regex(/^[a-z][a-z0-9 _(),[\]."]*$/i) });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  /**
   * Id of the installation, because several installations may have backups in one folder. Absent in backups of the
   * first versions.
   */
  installation: z.string().optional(),
  version: z.string(),
  database: z.object({
    kind: z.enum(['embedded', 'postgresql']),
    revision: z.int().nonnegative(),
    tables: z.array(z.object({ name: identifier, columns: z.array(column), rows: z.int().nonnegative(), ...digest })),
    sequences: z.array(z.object({ name: identifier, last: z.string().regex(/^\d+$/), isUsed: z.boolean() })),
  }),
  files: z.array(z.object({ path, mode: z.int(), modifiedMs: z.int(), ...digest })),
  hasSecrets: z.boolean(),
  hasInputs: z.boolean(),
  missing: z.array(z.string()),
  /** Files of Items that are only in a bucket, by the name of the bucket. */
  inBucket: z.record(z.string(), z.array(z.string())).optional(),
});

/** Description of a backup: versions, and size and checksum of each file. */
export type Manifest = z.output<typeof manifestSchema>;
/** File of DATA_DIR in a backup. */
export type BackupFile = Manifest['files'][number];
/** Table in a backup. */
export type BackupTable = Manifest['database']['tables'][number];

/** A complete backup. */
export interface Backup {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Path of the rows of a table in a backup. */
export const rowsPath = (folder: string, { name }: Pick<BackupTable, 'name'>): string =>
  join(folder, 'database', `${name}.ndjson.gz`);

/** Path of a file of DATA_DIR in a backup. */
export const filePath = (folder: string, file: Pick<BackupFile, 'path'>): string => join(folder, 'files', file.path);

const NAME = /^headwater-\d{8}T\d{6}Z$/;

/** Folder name of a backup of this time; names sort by age. */
export const backupName = (at: Date): string =>
  `headwater-${at.toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '')}`;

/** Names of the complete backups in a folder, oldest first. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const complete: string[] = [];
  for (const name of names.filter((each) => NAME.test(each)).toSorted())
    if ((await manifestText(join(folder, name))) !== undefined) complete.push(name);
  return complete;
}

/** Backup in a list, with its name. */
export interface NamedManifest {
  readonly name: string;
  readonly manifest: Manifest;
}

async function readableIn(folder: string): Promise<readonly NamedManifest[]> {
  const found: NamedManifest[] = [];
  for (const name of await backupsIn(folder)) {
    const read = manifestSchema.safeParse(jsonOf((await manifestText(join(folder, name))) ?? ''));
    if (read.success) found.push({ name, manifest: read.data });
  }
  return found;
}

/** Complete, readable backups of one installation in a folder, oldest first. */
export async function backupsOf(installation: string | undefined, folder: string): Promise<readonly NamedManifest[]> {
  return (await readableIn(folder)).filter(({ manifest }) => manifest.installation === installation);
}

/** Reads the backup in `folder`, or the newest backup below `folder`. Throws `ConfigError` without a usable backup. */
export async function readBackup(folder: string): Promise<Backup> {
  const own = await manifestText(folder);
  if (own !== undefined) return { folder, manifest: parseManifest(folder, own) };
  const newest = (await backupsIn(folder)).at(-1);
  if (newest === undefined)
    throw new ConfigError(`BACKUP: there is no complete backup in ${folder}; a complete one contains ${MANIFEST}.`);
  return await readBackup(join(folder, newest));
}

/**
 * Throws `ConfigError` if the folder has backups of several installations, because the newest may be of another
 * installation.
 */
export async function refuseSeveral(folder: string): Promise<void> {
  if ((await manifestText(folder)) !== undefined) return;
  const newest = new Map<string, string>();
  for (const { name, manifest } of await readableIn(folder))
    if (manifest.installation !== undefined) newest.set(manifest.installation, name);
  if (newest.size < 2) return;
  const lines = [...newest].map(([id, name]) => `${join(folder, name)} is the newest of ${id}`);
  throw new ConfigError(
    `BACKUP: ${folder} has backups of ${newest.size} installations. Name the folder of one backup:\n  ${lines.join('\n  ')}`,
  );
}

const manifestText = (folder: string): Promise<string | undefined> =>
  unlessMissing(readFile(join(folder, MANIFEST), 'utf8'));

function parseManifest(folder: string, text: string): Manifest {
  const { success, data, error } = manifestSchema.safeParse(jsonOf(text));
  if (success) return data;
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? MANIFEST : issue.path.join('.');
  throw new ConfigError(
    `BACKUP: ${join(folder, MANIFEST)} cannot be used (${where}: ${issue?.message ?? 'not valid'}). Use another backup, or the version that made it.`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
