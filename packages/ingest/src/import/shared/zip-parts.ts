import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { limitText } from './numbers.ts';

/**
 * Problem of a ZIP. `none`: not a ZIP; `entries`: too many files; `twice`: two files with one name; `bytes`: too
 * many unpacked bytes. The requested file can be `missing`, `encrypted` or `broken`; the whole ZIP can be `broken`.
 */
export type ZipFault = 'none' | 'broken' | 'entries' | 'twice' | 'missing' | 'encrypted' | 'bytes';

/** Limits of a ZIP, and its errors. */
export interface ZipRules {
  readonly entries: number;
  /** Maximum number of unpacked bytes of all read files. Counted while reading, because the directory may be wrong. */
  readonly bytes: number;
  /** Creates the error of a fault; `about`: reason, file name or limit. */
  readonly refusal: (fault: ZipFault, about: string) => Error;
  /** Called for each read piece; may throw to stop. */
  readonly onPiece?: () => void;
}

/** Files in a ZIP, read as streams. Their names are not used as paths. */
export interface ZipParts {
  /** Names of the files, in the order of the directory. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked size by the directory, bytes. */
  sizeOf(name: string): number;
  /** Packed size, bytes. */
  packedSizeOf(name: string): number;
  /** Reads a file. Throws if it is missing, encrypted or damaged, or above the limit of bytes. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** Closes the archive and its unfinished streams. */
  close(): void;
}

/** Opens a ZIP. Throws the error of `refusal` for an invalid ZIP or too many files. */
export async function openZip(path: string, rules: ZipRules): Promise<ZipParts> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
    (error: unknown) => {
      throw rules.refusal('none', reasonOf(error));
    },
  );
  try {
    return partsOf(zip, await entriesOf(zip, rules), rules);
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile, rules: ZipRules): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of unbroken(() => zip.eachEntry(), rules)) {
    if (entries.size >= rules.entries) throw rules.refusal('entries', String(rules.entries));
    if (entries.has(entry.fileName)) throw rules.refusal('twice', entry.fileName);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

function partsOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>, rules: ZipRules): ZipParts {
  let seen = 0;
  const open = new Set<Readable>();
  const openEntry = async (entry: Entry): Promise<Readable> => {
    const stream = await zip.openReadStreamPromise(entry);
    open.add(stream);
    return stream.once('close', () => open.delete(stream));
  };
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    packedSizeOf: (name) => entries.get(name)?.compressedSize ?? 0,
    read: async function* (name) {
      const entry = entries.get(name);
      if (entry === undefined) throw rules.refusal('missing', name);
      if (entry.isEncrypted()) throw rules.refusal('encrypted', name);
      // yauzl throws if the size differs from the directory.
      for await (const chunk of unbroken(() => openEntry(entry), rules)) {
        if (!(chunk instanceof Uint8Array)) continue;
        rules.onPiece?.();
        seen += chunk.byteLength;
        if (seen > rules.bytes) throw rules.refusal('bytes', limitText(rules.bytes));
        yield chunk;
      }
    },
    close: () => {
      // yauzl keeps the archive open until all its streams have ended.
      for (const stream of open) stream.destroy();
      zip.close();
    },
  };
}

/** Yields what `open` yields. Errors of the reader become `broken`; errors of the consumer do not change. */
async function* unbroken<T>(
  open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>,
  { refusal }: ZipRules,
): AsyncGenerator<T> {
  try {
    yield* await open();
  } catch (error) {
    throw refusal('broken', reasonOf(error));
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unreadable').slice(0, 200);
