import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/**
 * Problems of a ZIP: it is not one; it is broken; it has too many files, two files of one name, not the requested one, or an encrypted
 * one; it unpacks to too many bytes.
 */
export type ZipFault = 'none' | 'broken' | 'entries' | 'twice' | 'missing' | 'encrypted' | 'bytes';

/** Limits of a ZIP, and the errors for its reader. */
export interface ZipRules {
  readonly entries: number;
  /** Most bytes of all unpacked files, counted while they are read, because the announced sizes may be wrong. */
  readonly bytes: number;
  /** Makes the error of a fault; `about` is the reason, the file's name or the number. */
  readonly refusal: (fault: ZipFault, about: string) => Error;
  /** Called with each piece; throws to stop reading. */
  readonly onPiece?: () => void;
}

/** Files in a ZIP. Nothing is unpacked to disk, and their names are not used as paths. */
export interface ZipParts {
  /** In the order of the archive's directory. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked bytes that the archive announces. */
  sizeOf(name: string): number;
  /** Packed bytes in the archive. */
  packedSizeOf(name: string): number;
  /** Reads one file. Throws if it is broken or there are too many bytes. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** Closes the archive and ends every file that was not read to its end. */
  close(): void;
}

/** Opens a ZIP. Throws the errors of `refusal`. */
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
      // The reader fails for a file with more or fewer bytes than the directory announces.
      for await (const chunk of unbroken(() => openEntry(entry), rules)) {
        if (!(chunk instanceof Uint8Array)) continue;
        rules.onPiece?.();
        seen += chunk.byteLength;
        if (seen > rules.bytes) throw rules.refusal('bytes', String(rules.bytes));
        yield chunk;
      }
    },
    close: () => {
      // The archive's file stays open until the last stream of it ends.
      for (const stream of open) stream.destroy();
      zip.close();
    },
  };
}

/** Yields from the archive's reader and turns its errors into faults; errors of the consumer are not changed. */
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
