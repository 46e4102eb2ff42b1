import { unreadableHeaders } from './bad-file.ts';
import type { HeaderBytes } from './header-bytes.ts';
import { LIMITS } from './limits.ts';

/** Bytes of the file header, of a directory's count, of an entry and of the offset of the next directory. */
const CLASSIC = { head: 8, count: 2, entry: 12, next: 4 } as const;
const BIG = { head: 16, count: 8, entry: 20, next: 8 } as const;

/**
 * Follows the chain of directories before the TIFF library does, which does not check it. Throws `input_data` if the chain is longer than a
 * file of pixels can need, or returns to an earlier directory and would never end. Other errors in
 * the headers are left to the parser.
 */
export async function checkDirectories(bytes: HeaderBytes): Promise<void> {
  const chain = await chainOf(bytes);
  const seen = new Set<number>();
  for (let at = await chain.first(); at !== 0; at = await chain.after(at)) {
    if (seen.has(at)) throw unreadableHeaders(bytes.source, `the directory at byte ${at} refers to itself`);
    if (seen.size === LIMITS.directories)
      throw unreadableHeaders(bytes.source, `they have more than ${LIMITS.directories} directories`);
    seen.add(at);
  }
}

/** Offsets of directories; 0 = none. */
interface Chain {
  first(): Promise<number>;
  after(directory: number): Promise<number>;
}

async function chainOf(bytes: HeaderBytes): Promise<Chain> {
  const head = await bytes.read(0, 4);
  const little = head[0] === 0x49;
  const isBig = new DataView(head.buffer, head.byteOffset, head.length).getUint16(2, little) === 43;
  const size = isBig ? BIG : CLASSIC;
  const numberAt = async (at: number, width: 2 | 4 | 8): Promise<number> => {
    const part = await bytes.read(at, width);
    if (part.length < width) throw unreadableHeaders(bytes.source, `they refer to byte ${at + width}`);
    const view = new DataView(part.buffer, part.byteOffset, width);
    if (width === 2) return view.getUint16(0, little);
    return width === 4 ? view.getUint32(0, little) : Number(view.getBigUint64(0, little));
  };
  return {
    first: () => numberAt(size.head - size.next, size.next),
    async after(directory) {
      const entries = await numberAt(directory, size.count);
      if (entries > LIMITS.entries)
        throw unreadableHeaders(bytes.source, `the directory at byte ${directory} has ${entries} entries`);
      return numberAt(directory + size.count + entries * size.entry, size.next);
    },
  };
}
