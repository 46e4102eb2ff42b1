import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;
const REGULAR = new Set(['0', '\0']);

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly isFile: boolean;
}

/**
 * Reads at most `most` wanted regular files from a `.tar.gz`. Rejects for an unreadable archive or an incomplete wanted
 * file.
 */
export async function readArchive(
  path: URL,
  isWanted: (name: string) => boolean,
  most = Infinity,
): Promise<Map<string, Uint8Array>> {
  const file = createReadStream(path);
  const unpacked = file.pipe(createGunzip());
  file.once('error', (error) => unpacked.destroy(error));
  try {
    return await wantedFiles(inBlocks(unpacked), { path, isWanted, most });
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

interface Wanted {
  readonly path: URL;
  readonly isWanted: (name: string) => boolean;
  readonly most: number;
}

async function wantedFiles(blocks: Blocks, { path, isWanted, most }: Wanted): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (let header = await blocks.take(BLOCK); header !== undefined; header = await blocks.take(BLOCK)) {
    const { name, size, isFile } = entryOf(header);
    if (name === '') continue;
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (!isFile || !isWanted(name)) {
      await blocks.skip(padded);
      continue;
    }
    const data = await blocks.take(padded);
    if (data === undefined) throw new Error(`${path.pathname} is truncated: it ends within ${name}`);
    files.set(name, data.subarray(0, size));
    if (files.size >= most) break;
  }
  return files;
}

/** Parses a ustar header. Its field `prefix` (for long names) is ignored, because the wanted files have short names. */
function entryOf(header: Uint8Array): Entry {
  const text = (from: number, to: number): string => {
    const field = Buffer.from(header.subarray(from, to)).toString('latin1');
    const end = field.indexOf('\0');
    return end === -1 ? field : field.slice(0, end);
  };
  const size = Number.parseInt(text(124, 136).trim() || '0', 8);
  return { name: text(0, 100), size, isFile: REGULAR.has(String.fromCharCode(header[156] ?? 0)) };
}

interface Blocks {
  /** Returns exactly this many bytes, copied; undefined at the end. */
  take(bytes: number): Promise<Uint8Array | undefined>;
  skip(bytes: number): Promise<void>;
}

function inBlocks(stream: AsyncIterable<Buffer>): Blocks {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** Returns at most this many bytes, as a view of the last chunk. */
  const some = async (most: number): Promise<Uint8Array | undefined> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return undefined;
      rest = next.value;
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.length);
    return part;
  };
  return {
    async take(bytes) {
      const whole = new Uint8Array(bytes);
      for (let at = 0; at < bytes;) {
        const part = await some(bytes - at);
        if (part === undefined) return undefined;
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
    async skip(bytes) {
      for (let left = bytes; left > 0;) left -= (await some(left))?.length ?? left;
    },
  };
}
