import { createReadStream } from 'node:fs';
import { mib } from './limits.ts';
import { ReadError } from '../errors.ts';

/** A line of a file: number (from 1), bytes without the line ending, and end offset in the file. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly done: number;
}

const [NEWLINE, RETURN] = [0x0a, 0x0d];

/** Yields the non-blank lines of a file. Throws `ReadError` for a line over the limit. */
export async function* linesOf(path: string, mostBytes: number): AsyncGenerator<Line> {
  let [number, done, held] = [0, 0, 0];
  let parts: Uint8Array[] = [];
  const take = (read: number): Line | undefined => {
    number += 1;
    const bytes = Buffer.concat(parts);
    [parts, held] = [[], 0];
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    return isBlank(bytes) ? undefined : { number, bytes: bytes.subarray(0, end), done: read };
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, at));
      const line = take(done + at + 1);
      if (line !== undefined) yield line;
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    [done, held] = [done + chunk.length, held + rest.length];
    if (held > mostBytes)
      throw new ReadError(
        `${path}: line ${String(number + 1)} is longer than ${mib(mostBytes)}; write one document on each line`,
      );
    parts.push(rest);
  }
  const last = take(done);
  if (last !== undefined) yield last;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === RETURN);
}
