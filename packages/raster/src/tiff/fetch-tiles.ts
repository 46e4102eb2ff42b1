import type { ByteSource } from './byte-source.ts';
import type { TiffLevel } from './layout.ts';
import type { TileDecoder } from './tile-decoder.ts';
import type { TilePart } from './tiles-of.ts';

/** True for a tile that was never written. */
export function isSparse(level: TiffLevel, part: TilePart): boolean {
  const { offsets, byteCounts } = level;
  return part.index >= Math.min(offsets.length, byteCounts.length) || !offsets[part.index] || !byteCounts[part.index];
}

/** A compressed tile, valid until the next one is taken. */
interface FetchedTile {
  readonly part: TilePart;
  /** Fewer than the tile has where the file is truncated. */
  readonly bytes: Uint8Array;
}

/** Reads compressed tiles in order; over a network several are under way. */
export async function* fetchTiles(
  source: ByteSource,
  level: TiffLevel,
  { parts, decoder }: { readonly parts: readonly TilePart[]; readonly decoder: TileDecoder },
): AsyncGenerator<FetchedTile> {
  const waiting = parts.values();
  const ahead: { part: TilePart; reply: Uint8Array | Promise<Uint8Array> }[] = [];
  const start = (part: TilePart): void => {
    const length = level.byteCounts[part.index]!;
    const reply = source.read(level.offsets[part.index]!, length, decoder.io(length));
    // A rejection is met when its turn comes; until then it must not count as unhandled.
    if (reply instanceof Promise) reply.catch(() => {});
    ahead.push({ part, reply });
  };
  const fill = (): void => {
    while (ahead.length < source.concurrency) {
      const next = waiting.next();
      if (next.done === true) return;
      start(next.value);
    }
  };
  fill();
  for (let first = ahead.shift(); first !== undefined; first = ahead.shift()) {
    const { part, reply } = first;
    yield { part, bytes: reply instanceof Promise ? await reply : reply };
    fill();
  }
}
