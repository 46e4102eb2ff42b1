import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dirname } from 'node:path';
import { createGunzip, createGzip } from 'node:zlib';
import { type CopiedDatabase, copyOut, type Database } from '@headwater/postgres';
import { isObject } from '@headwater/core/values';
import { storedAddresses } from '@headwater/http-service';
import { writeAtomic } from '@headwater/net/files';
import { type BackupTable, type Manifest, rowsPath } from './manifest.ts';

const SIGNING_KEY = 'signing key';

interface WriteRowsOptions {
  readonly folder: string;
  /** False: the key that signs tokens is not written. */
  readonly withSecrets: boolean;
  readonly onTable: (name: string, rows: number) => void;
}

/** Writes the rows of one snapshot of a database into compressed files. */
export async function writeRows(
  database: Database,
  { folder, withSecrets, onTable }: WriteRowsOptions,
): Promise<Manifest['database']> {
  const written = new Map<string, BackupTable>();
  const copied: CopiedDatabase = await copyOut(database, async (head, batches) => {
    const columns = [...head.columns];
    const path = rowsPath(folder, head);
    const isKept = withSecrets || head.name !== 'installation' ? undefined : isNotKey(columns);
    let rows = 0;
    const texts = async function* (): AsyncGenerator<string> {
      for await (const batch of batches) {
        const lines = isKept === undefined ? batch : batch.filter(isKept);
        rows += lines.length;
        if (lines.length > 0) yield `${lines.join('\n')}\n`;
      }
    };
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const digest = await writeAtomic(path, async (sink) => {
      const gzip = createGzip({ level: 1 });
      await pipeline(Readable.from(texts()), gzip, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await sink.write([chunk]);
      });
    });
    written.set(head.name, { name: head.name, columns, rows, ...digest });
    onTable(head.name, rows);
  });
  return {
    kind: database.embedded ? 'embedded' : 'postgresql',
    revision: copied.revision,
    tables: copied.tables.flatMap(({ name }) => written.get(name) ?? []),
    sequences: [...copied.sequences],
  };
}

function isNotKey(columns: BackupTable['columns']): (line: string) => boolean {
  const name = columns.findIndex((column) => column.name === 'name');
  return (line) => cells(line)[name] !== SIGNING_KEY;
}

/** Lines of a table in a backup. Only a line feed ends a line, because texts may contain other Unicode separators. */
export async function* readRows(folder: string, table: Pick<BackupTable, 'name'>): AsyncGenerator<readonly string[]> {
  const source = createReadStream(rowsPath(folder, table));
  const text = source.pipe(createGunzip()).setEncoding('utf8');
  source.on('error', (error) => text.destroy(error));
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
}

function cells(line: string): readonly (string | null)[] {
  const parsed: readonly (string | null)[] = JSON.parse(line);
  return parsed;
}

/** Values of a column in a backup, without nulls. Yields nothing if the backup has no such table or column. */
async function* columnOf(folder: string, tables: readonly BackupTable[], [name, column]: readonly [string, string]) {
  const table = tables.find((each) => each.name === name);
  const at = table?.columns.findIndex((each) => each.name === column) ?? -1;
  if (table === undefined || at < 0) return;
  for await (const lines of readRows(folder, table))
    for (const line of lines) {
      const value = cells(line)[at];
      if (value !== null && value !== undefined) yield value;
    }
}

/** Key that signs tokens, if it is in the database of a backup. */
export async function storedSigningKey(folder: string, tables: readonly BackupTable[]): Promise<string | undefined> {
  const table = tables.find(({ name }) => name === 'installation');
  if (table === undefined) return undefined;
  const [name, value] = ['name', 'value'].map((each) => table.columns.findIndex((column) => column.name === each));
  for await (const lines of readRows(folder, table))
    for (const row of lines.map(cells)) if (row[name ?? -1] === SIGNING_KEY) return row[value ?? -1] ?? undefined;
  return undefined;
}

/** Number of Earth-observation accounts in a backup that have an uploaded key. */
export async function sealedKeysIn(folder: string, tables: readonly BackupTable[]): Promise<number> {
  const keys: string[] = [];
  for await (const key of columnOf(folder, tables, ['eo_accounts', 'sealed_key'])) keys.push(key);
  return keys.length;
}

/** Published file that the database names. */
export interface NamedFile {
  readonly path: string;
  /** Hexadecimal checksum in the Item; undefined without one, for example if only a layer names the file. */
  readonly sha256: string | undefined;
}

/** Multihash prefix of a SHA-256, hexadecimal: its code (12) and its length of 32 bytes (20). */
const SHA256 = '1220';
const EXAMPLE = 'run/0/name';
const FILE_ADDRESS = storedAddresses().file(EXAMPLE).slice(0, -EXAMPLE.length);

/** Published files that the Items and layers of a backup name, each once. */
export async function namedFiles(folder: string, tables: readonly BackupTable[]): Promise<readonly NamedFile[]> {
  const found = new Map<string, NamedFile>();
  const add = (key: string, sha256?: string): void => {
    if (key.split('/').length !== 3) return;
    const path = `assets/${key}`;
    found.set(path, { path, sha256: sha256 ?? found.get(path)?.sha256 });
  };
  for (const column of ['asset_key', 'style_key'])
    for await (const key of columnOf(folder, tables, ['layers', column])) add(key);
  for await (const content of columnOf(folder, tables, ['items', 'content']))
    for (const { href, checksum } of assetsOf(content))
      if (href.startsWith(FILE_ADDRESS)) add(href.slice(FILE_ADDRESS.length), sha256Of(checksum));
  return [...found.values()];
}

const sha256Of = (checksum: string | undefined): string | undefined =>
  checksum?.startsWith(SHA256) === true ? checksum.slice(SHA256.length) : undefined;

function* assetsOf(content: string): Generator<{ readonly href: string; readonly checksum: string | undefined }> {
  const item: unknown = JSON.parse(content);
  const assets = isObject(item) && isObject(item['assets']) ? Object.values(item['assets']) : [];
  for (const asset of assets) {
    if (!isObject(asset) || typeof asset['href'] !== 'string') continue;
    const checksum = asset['file:checksum'];
    yield { href: asset['href'], checksum: typeof checksum === 'string' ? checksum : undefined };
  }
}
