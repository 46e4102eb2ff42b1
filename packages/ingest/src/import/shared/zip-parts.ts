import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/**
 * What can be wrong with a ZIP: it is none; it is broken; it holds too many files, two of one name, not the one that is asked for, one that
 * is encrypted; more bytes come out of it than may.
 */
export type ZipFault = 'none' | 'broken' | 'entries' | 'twice' | 'missing' | 'encrypted' | 'bytes';

/** What a ZIP may hold, and how whoever reads it is told. */
export interface ZipRules {
  readonly entries: number;
  /** Bytes that come out of it in all, counted as they come: what the archive claims is not believed. */
  readonly bytes: number;
  /** The error of a fault; `about` is the reason, the file's name or the number. */
  readonly refusal: (fault: ZipFault, about: string) => Error;
  /** Called with each piece; throws where reading was stopped. */
  readonly goOn?: () => void;
}

/** Files inside of a ZIP. Nothing is unpacked to disk, and no name of theirs becomes a path. */
export interface ZipParts {
  /** In the order of the archive's directory. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Bytes that the archive claims for it. */
  sizeOf(name: string): number;
  /** Bytes that it takes in the archive. */
  packedSizeOf(name: string): number;
  /** Bytes of one of them as they come. Throws where it is broken or there is too much. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** Closes the archive and ends every file that was not read to its end. */
  close(): void;
}

/** Opens a ZIP. Throws what `refusal` makes of a fault. */
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
      // The reader ends a file whose bytes are not as many as the directory says.
      for await (const chunk of unbroken(() => openEntry(entry), rules)) {
        if (!(chunk instanceof Uint8Array)) continue;
        rules.goOn?.();
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

/** What the archive's reader gives; its errors are told as faults, those of whoever takes it stay. */
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
