import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseJson } from '../../json-text.ts';
import { TooMuch } from '../../places/bad-place-file.ts';
import { featureOf } from './read-geojson.ts';
import { type BadFeature, type FeatureReader, MAX_FEATURE_BYTES, type RawFeature } from './raw-feature.ts';

const [NEWLINE, RECORD] = [0x0a, 0x1e] as const;
const MAX_VALUES = MAX_FEATURE_BYTES / 8;
const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Reads one GeoJSON Feature per line, also with record separators (RFC 8142). `row` is the line number. */
export const readGeojsonLines: FeatureReader = async function* ({ path, fileName, progress }) {
  const { size } = await stat(path);
  let [line, done] = [0, 0];
  for await (const bytes of lines(path)) {
    line += 1;
    done += bytes.length + 1;
    progress(done, size);
    const read = lineFeature(bytes, fileName, line);
    if (read !== undefined) yield read;
  }
};

function lineFeature(bytes: Uint8Array, source: string, row: number): RawFeature | BadFeature | undefined {
  try {
    const text = DECODER.decode(bytes[0] === RECORD ? bytes.subarray(1) : bytes);
    return text.trim() === '' ? undefined : featureOf(parseJson(text, MAX_VALUES), source, row);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return { source, row, problem: `the line is not JSON (${reason}); write it again` };
  }
}

async function* lines(path: string): AsyncGenerator<Uint8Array> {
  let [held, heldBytes]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes: Uint8Array = chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const last = bytes.subarray(from, end);
      yield held.length === 0 ? last : Buffer.concat([...held, last]);
      [held, heldBytes] = [[], 0];
      from = end + 1;
    }
    if (from === bytes.length) continue;
    held.push(Uint8Array.from(bytes.subarray(from)));
    heldBytes += bytes.length - from;
    if (heldBytes > MAX_FEATURE_BYTES) throw new TooMuch('a line has more than 64 MB; write one Feature per line');
  }
  if (held.length > 0) yield Buffer.concat(held);
}
