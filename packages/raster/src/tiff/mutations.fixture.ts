// Seeded mutations of TIFFs, and a process that reads them one after the other: `mutations.fixture.ts FOLDER FIRST COUNT FILE...`.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDomainError } from '@headwater/core/errors';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { openRaster } from './open-raster.ts';
import { TileDecoder } from './tile-decoder.ts';

/** Repeatable generator (mulberry32) of numbers in [0, 1). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Entries of all directories of a TIFF: the offset of each, and the sizes of its parts. */
interface Entries {
  readonly at: readonly number[];
  /** Offsets of the fields with the offset of the next directory. */
  readonly links: readonly number[];
  readonly little: boolean;
  readonly big: boolean;
}

function entriesOf(tiff: Uint8Array): Entries {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = tiff[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  const offset = (at: number): number => (big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
  const [at, links]: [number[], number[]] = [[], [big ? 8 : 4]];
  for (let next = offset(links[0]!); next !== 0; next = offset(links.at(-1)!)) {
    const count = big ? offset(next) : view.getUint16(next, little);
    const first = next + (big ? 8 : 2);
    for (let i = 0; i < count; i++) at.push(first + i * (big ? 20 : 12));
    links.push(first + count * (big ? 20 : 12));
  }
  return { at, links, little, big };
}

/** Values at which checks of headers are likely to be wrong. */
const EDGES = [0, 1, 2, 3, 7, 8, 15, 16, 31, 255, 32_767, 65_535, 2 ** 20, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

/** One mutation of a copy of a file; several are applied to each copy. */
type Mutation = (copy: Uint8Array, entries: Entries, next: () => number) => Uint8Array;

const below = (next: () => number, count: number): number => Math.floor(next() * count);
const pick = <T>(next: () => number, list: readonly T[]): T => list[below(next, list.length)]!;

/** Puts a number with the byte order of the file. */
function put(
  copy: Uint8Array,
  at: number,
  { value, bytes, little }: { value: number; bytes: number; little: boolean },
): void {
  for (let i = 0; i < bytes; i++) {
    const place = at + (little ? i : bytes - 1 - i);
    if (place < copy.length) copy[place] = i < 4 ? value >>> (8 * i) : 0;
  }
}

const numberFrom = (next: () => number, size: number): number =>
  next() < 0.6 ? pick(next, EDGES) : below(next, next() < 0.5 ? 2 * size : 2 ** 32);

const MUTATIONS: readonly Mutation[] = [
  // Bytes anywhere, or only among the headers.
  (copy, _, next) => {
    const reach = next() < 0.5 ? copy.length : Math.min(900, copy.length);
    for (let i = 1 + below(next, 8); i > 0; i--) copy[4 + below(next, reach - 4)] = below(next, 256);
    return copy;
  },
  // The value, the number of values, or the type of an entry.
  (copy, { at, big, little }, next) => {
    const entry = pick(next, at);
    const field = below(next, 3);
    const value = field === 2 ? below(next, 20) : numberFrom(next, copy.length);
    if (field === 2) put(copy, entry + 2, { value, bytes: 2, little });
    else put(copy, entry + (big ? [12, 4] : [8, 4])[field]!, { value, bytes: big ? 8 : 4, little });
    return copy;
  },
  // The tag of an entry: a tag that readers know, or any.
  (copy, { at, little }, next) => {
    const value = next() < 0.7 ? pick(next, KNOWN_TAGS) : below(next, 65_536);
    put(copy, pick(next, at), { value, bytes: 2, little });
    return copy;
  },
  // An entry is replaced by another one.
  (copy, { at, big }, next) => {
    const [from, to] = [pick(next, at), pick(next, at)];
    copy.copyWithin(to, from, from + (big ? 20 : 12));
    return copy;
  },
  // The chain of directories.
  (copy, { links, at, big, little }, next) => {
    const value = next() < 0.5 ? pick(next, at) - (big ? 8 : 2) : numberFrom(next, copy.length);
    put(copy, pick(next, links), { value, bytes: big ? 8 : 4, little });
    return copy;
  },
  // A piece of the file is moved, cleared or filled, such as a part of a tile or of a table.
  (copy, _, next) => {
    const [from, to] = [8 + below(next, copy.length - 8), 8 + below(next, copy.length - 8)];
    const length = 1 + below(next, 200);
    if (next() < 0.5) copy.copyWithin(to, from, from + length);
    else copy.fill(pick(next, [0, 255, below(next, 256)]), to, to + length);
    return copy;
  },
  (copy, _, next) => copy.subarray(0, 4 + below(next, copy.length - 4)),
];

const KNOWN_TAGS = [
  254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 338, 339, 347, 33_550,
  33_922, 34_264, 34_735, 34_736, 34_737, 42_112, 42_113, 50_674,
];

/** The mutation of a file with this seed. */
export function mutationOf(tiff: Uint8Array, entries: Entries, seed: number): Uint8Array {
  const next = random(seed);
  let copy = Uint8Array.from(tiff);
  for (let i = 1 + below(next, 3); i > 0; i--) copy = Uint8Array.from(pick(next, MUTATIONS)(copy, entries, next));
  return copy;
}

/** Result of reading many mutations. */
export interface MutationReport {
  /** Number of mutations that were read, and of those that were refused. */
  readonly read: number;
  readonly refused: number;
  /** Errors that are faults of this package, with the seed. */
  readonly faults: readonly string[];
  /** Longest processor time of one mutation, ms, and its seed. */
  readonly slowestMs: number;
  readonly slowest: number;
  /** Growth of the process's peak memory, bytes. */
  readonly grewBytes: number;
}

/** Longest time without progress, s. */
const HANG_S = 60;

/**
 * Reads the mutations with seeds [first, first + count) of files in a process of its own. Rejects with the seed that was being read if the
 * process hangs or ends.
 */
export function readMutations(
  files: readonly string[],
  { folder, first, count }: { readonly folder: string; readonly first: number; readonly count: number },
): Promise<MutationReport> {
  const args = ['--conditions=@headwater/source', SELF, folder, String(first), String(count), ...files];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((settle, fail) => {
    let [at, report]: [string, MutationReport | undefined] = [String(first), undefined];
    let timer = setTimeout(() => child.kill('SIGKILL'), HANG_S * 1000);
    createInterface({ input: child.stdout }).on('line', (line) => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), HANG_S * 1000);
      if (line.startsWith('{')) report = JSON.parse(line) as MutationReport;
      else at = line;
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (report !== undefined) settle(report);
      else fail(new Error(`the reader ended (${code ?? signal}) in the hundred mutations from seed ${at}`));
    });
  });
}

const SELF = fileURLToPath(import.meta.url);

/** Reads every level of a file with all functions that decode; returns false for `input_data`, and rethrows other errors. */
async function isReadable(path: string, decoder: TileDecoder): Promise<boolean> {
  try {
    const file = await openRaster(path, { decoder });
    try {
      const window = { col: -3, row: 5, cols: 60, rows: 40 };
      for (let level = 0; level < Math.min(file.levels.length, 3); level++) {
        await file.readWindow(window, new Float64Array(2400), level);
        await file.readValues(window, new Float64Array(2400), level);
      }
    } finally {
      file.close();
    }
    return true;
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'input_data' || !error.message.startsWith(path)) throw error;
    return false;
  }
}

async function serve([folder = '', first = '', count = '', ...files]: readonly string[]): Promise<void> {
  const tiffs = files.map((path) => new Uint8Array(readFileSync(path)));
  const entries = tiffs.map(entriesOf);
  const path = join(folder, `mutation-${first}.tif`);
  const decoder = new TileDecoder();
  for (const file of files) if (!(await isReadable(file, decoder))) throw new Error(`${file} is refused unchanged`);
  let [read, refused, slowestMs, slowest] = [0, 0, 0, 0];
  const faults: string[] = [];
  const before = peakBytes();
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    if (seed % 100 === 0) console.log(seed);
    const at = seed % tiffs.length;
    writeFileSync(path, mutationOf(tiffs[at]!, entries[at]!, seed));
    const start = process.cpuUsage();
    try {
      if (await isReadable(path, decoder)) read++;
      else refused++;
    } catch (error) {
      faults.push(`seed ${seed} of ${files[at]}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > slowestMs) [slowestMs, slowest] = [(user + system) / 1000, seed];
  }
  const report: MutationReport = { read, refused, faults, slowestMs, slowest, grewBytes: peakBytes() - before };
  console.log(JSON.stringify(report));
}

if (process.argv[1] === SELF) await serve(process.argv.slice(2));
