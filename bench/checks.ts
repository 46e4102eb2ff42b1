import { crc32 } from 'node:zlib';

/** CRC-32 of an array's little-endian bytes, as the peers (the compared programs) print checksums. */
export function crcOf(values: Uint8Array | Uint16Array | Int16Array): string {
  return crc32(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .toString(16)
    .padStart(8, '0');
}

/** Compares our results with the results of the peers. */
export class Checks {
  readonly #failed: string[] = [];

  /** Compares two results and prints the outcome. Does nothing if the peer printed no value. */
  equal(name: string, ours: unknown, peer: unknown): void {
    if (peer === undefined) return;
    const [mine, theirs] = [JSON.stringify(ours), JSON.stringify(peer)];
    if (mine === theirs) console.log(`check ${name}: equal to the peer's (${mine})`);
    else this.fail(`${name}: ours ${mine}, peer's ${theirs}`);
  }

  /** Like `equal`, for numbers with a relative `tolerance`. */
  close(name: string, pair: { readonly ours: number; readonly peer: unknown }, tolerance: number): void {
    const { ours, peer } = pair;
    if (typeof peer !== 'number') return;
    if (Math.abs(ours - peer) <= tolerance * Math.abs(peer))
      console.log(`check ${name}: ${ours} within ${tolerance} of the peer's`);
    else this.fail(`${name}: ours ${ours}, peer's ${peer}`);
  }

  fail(text: string): void {
    this.#failed.push(text);
    console.log(`CHECK FAILED: ${text}`);
  }

  get failed(): readonly string[] {
    return this.#failed;
  }
}
