import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/**
 * Problem of a ZIP. `none`: not a ZIP. `broken`: damaged ZIP. `entries`: too many files. `twice`: two files with the same name. `missing`: the
 * requested file does not exist. `encrypted`: the requested file needs a password. `bytes`: too many unpacked bytes.
 */
export type ZipFault = 'none' | 'broken' | 'entries' | 'twice' | 'missing' | 'encrypted' | 'bytes';

/** Limits of a ZIP, and a function for the errors of its reader. */
export interface ZipRules {
  readonly entries: number;
  /**
   * Maximum number of unpacked bytes of all files. The bytes are counted while they are read, because the sizes in the ZIP's directory
   * may be wrong.
   */
  readonly bytes: number;
  /** Creates the error for a fault; depending on the fault, `about` is the reason, the file's name or the limit. */
  readonly refusal: (fault: ZipFault, about: string) => Error;
  /** Called for each piece that was read. The callback throws an error to stop reading. */
  readonly onPiece?: () => void;
}

/** Files in a ZIP. The files are not unpacked to disk, and their names are not used as paths. */
export interface ZipParts {
  /** Names of the files, in the order of the archive's directory. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked size in the archive's directory, bytes. */
  sizeOf(name: string): number;
  /** Packed size in the archive, bytes. */
  packedSizeOf(name: string): number;
  /** Reads one file. Throws if the file is missing, encrypted or damaged, or if the files read so far have too many bytes together. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** Closes the archive, and ends the streams of files that were not read completely. */
  close(): void;
}

/** Opens a ZIP. Throws the error that `refusal` creates if the ZIP is not valid or has too many files. */
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
      // yauzl throws if a file has more or fewer bytes than its size in the directory.
      for await (const chunk of unbroken(() => openEntry(entry), rules)) {
        if (!(chunk instanceof Uint8Array)) continue;
        rules.onPiece?.();
        seen += chunk.byteLength;
        if (seen > rules.bytes) throw rules.refusal('bytes', String(rules.bytes));
        yield chunk;
      }
    },
    close: () => {
      // yauzl keeps the archive open until all its streams have ended. So streams that were not read completely are
      // destroyed here.
      for (const stream of open) stream.destroy();
      zip.close();
    },
  };
}

/**
 * Yields the chunks of the archive's reader, and converts errors of the reader to the fault `broken`. Errors of the
 * consumer are not changed.
 */
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
