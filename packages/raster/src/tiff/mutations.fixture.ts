// Seeded mutations of TIFFs, and a process that reads them: `mutations.fixture.ts FOLDER FIRST COUNT FILE...`.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDomainError } from '@headwater/core/errors';
import { Network } from '@headwater/net';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { createMapPixels } from '../map/map-pixels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { openRaster } from './open-raster.ts';
import { TileDecoder } from './tile-decoder.ts';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Offsets of the entries of all directories. `little`: the file is little-endian. `big`: it is a BigTIFF. */
interface Entries {
  readonly at: readonly number[];
  /** Offsets of the fields that contain the offset of the next directory. */
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

/** Values for which checks of headers are likely to fail. */
const EDGES = [0, 1, 2, 3, 7, 8, 15, 16, 31, 255, 32_767, 65_535, 2 ** 20, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

/** Changes a copy of a file. Several mutations are applied to each copy. */
type Mutation = (copy: Uint8Array, entries: Entries, next: () => number) => Uint8Array;

const below = (next: () => number, count: number): number => Math.floor(next() * count);
const pick = <T>(next: () => number, list: readonly T[]): T => list[below(next, list.length)]!;

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
  // Changes any bytes, or only bytes of the headers.
  (copy, _, next) => {
    const reach = next() < 0.5 ? copy.length : Math.min(900, copy.length);
    for (let i = 1 + below(next, 8); i > 0; i--) copy[4 + below(next, reach - 4)] = below(next, 256);
    return copy;
  },
  // Changes the value, the number of values, or the type of an entry.
  (copy, { at, big, little }, next) => {
    const entry = pick(next, at);
    const field = below(next, 3);
    const value = field === 2 ? below(next, 20) : numberFrom(next, copy.length);
    if (field === 2) put(copy, entry + 2, { value, bytes: 2, little });
    else put(copy, entry + (big ? [12, 4] : [8, 4])[field]!, { value, bytes: big ? 8 : 4, little });
    return copy;
  },
  // Changes the tag of an entry to one that readers use, or to any tag.
  (copy, { at, little }, next) => {
    const value = next() < 0.7 ? pick(next, KNOWN_TAGS) : below(next, 65_536);
    put(copy, pick(next, at), { value, bytes: 2, little });
    return copy;
  },
  // Replaces an entry by another entry.
  (copy, { at, big }, next) => {
    const [from, to] = [pick(next, at), pick(next, at)];
    copy.copyWithin(to, from, from + (big ? 20 : 12));
    return copy;
  },
  // Changes the chain of directories.
  (copy, { links, at, big, little }, next) => {
    const value = next() < 0.5 ? pick(next, at) - (big ? 8 : 2) : numberFrom(next, copy.length);
    put(copy, pick(next, links), { value, bytes: big ? 8 : 4, little });
    return copy;
  },
  // Moves, clears or fills a piece of the file.
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

/** Makes the mutation of a file with this seed. */
export function mutationOf(tiff: Uint8Array, entries: Entries, seed: number): Uint8Array {
  const next = random(seed);
  let copy = Uint8Array.from(tiff);
  for (let i = 1 + below(next, 3); i > 0; i--) copy = Uint8Array.from(pick(next, MUTATIONS)(copy, entries, next));
  return copy;
}

/** Result of reading many mutations. */
export interface MutationReport {
  readonly read: number;
  readonly refused: number;
  /** Number of mutations that could be read as maps. Only some are tried: see `MAPS_EVERY`. */
  readonly mapped: number;
  /** Errors that are faults of this package, each with the seed of its mutation. */
  readonly faults: readonly string[];
  /** Longest processor time for one mutation, ms, and the seed of this mutation. */
  readonly slowestMs: number;
  readonly slowest: number;
  readonly grewBytes: number;
}

const HANG_S = 60;

/**
 * Reads the mutations with seeds [first, first + count) in a child process. If the process ends early, or hangs and
 * is killed, rejects with the first seed of the current hundred.
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

function windowOf(seed: number, { cols, rows }: { readonly cols: number; readonly rows: number }): PixelWindow {
  const next = random(~seed);
  const side = (): number => 1 + below(next, next() < 0.5 ? 8 : 120);
  const from = (size: number): number => below(next, Math.min(size, 4096) + 40) - 20;
  return { col: from(cols), row: from(rows), cols: side(), rows: side() };
}

interface ReadTools {
  readonly decoder: TileDecoder;
  readonly network: Network;
}

/**
 * Reads a window of each level with `readWindow` and `readValues`. Returns false if the file is refused, and rethrows
 * other errors.
 */
async function isReadable(href: string, tools: ReadTools, seed: number): Promise<boolean> {
  return await isRead(href, async () => {
    const file = await openRaster(href, tools);
    try {
      for (let level = 0; level < Math.min(file.levels.length, MOST_LEVELS); level++) {
        const window = windowOf(seed + level, file.levels[level]!);
        const pixels = window.cols * window.rows;
        await file.readWindow(window, new Float64Array(pixels), level);
        await file.readValues(window, new Float64Array(pixels), level);
      }
    } finally {
      file.close();
    }
  });
}

/** Number of levels to read. A mutation may have a long chain of directories; the original files have at most three. */
const MOST_LEVELS = 8;

const MAP = 64;

/**
 * Reads the file as a map in degrees, as a map in EPSG:3857, and as a cut (part of the raster). Returns false if the
 * file is refused.
 */
async function isOnMaps(path: string, seed: number): Promise<boolean> {
  // This is the limit of a small server. With a higher limit, too many tiles would be decoded.
  const maps = createMapPixels({ readPixels: 2 ** 20 });
  try {
    return await isRead(path, async () => {
      const raster = await maps.open(path);
      const { grid } = raster;
      const next = random(seed);
      const zoom = 2 ** (below(next, 8) - 2);
      const [lon, lat] = [75 + next() / 100, 23.5 + next() / 100];
      await raster.samples({ ...square(1e-4 * zoom), crs: 'EPSG:4326', west: lon, north: lat });
      const [x, y] = [lon * 111_319.49, 2_694_000 + 2000 * next()];
      await raster.samples({ ...square(10 * zoom), crs: 'EPSG:3857', west: x, north: y });
      const [col, row] = [below(next, grid.cols), below(next, grid.rows)];
      const part = { cols: Math.min(grid.cols - col, 500), rows: Math.min(grid.rows - row, 500) };
      await raster.geoTiff({ col, row, ...part, width: Math.min(part.cols, 40), height: Math.min(part.rows, 40) });
    });
  } finally {
    await maps.close();
  }
}

const square = (pixel: number) => ({ pixelWidth: pixel, pixelHeight: pixel, cols: MAP, rows: MAP });

/**
 * Codes of errors that are no faults. Maps throw `validation`, because they also refuse several bands and files without
 * a fitting overview.
 */
const REFUSALS: readonly string[] = ['input_data', 'validation'];

async function isRead(path: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isDomainError(error) || !REFUSALS.includes(error.code)) throw error;
    if (error.code === 'input_data' && !error.message.startsWith(path)) throw error;
    return false;
  }
}

/**
 * Every 11th mutation is also read over HTTP, and every 5th as a map. Each file is included, because neither number has
 * a common factor with the number of files.
 */
const [HTTP_EVERY, MAPS_EVERY] = [11, 5];

/** Serves ranges of the file that `current` returns. Returns the address of the file. */
async function rangeServer(current: () => Uint8Array): Promise<string> {
  const server = createServer((request, response) => {
    const bytes = current();
    const [, from = 0, to = 0] = (/bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []).map(Number);
    const part = bytes.subarray(from, to + 1);
    if (part.length === 0) response.writeHead(416).end();
    else
      response.writeHead(206, { 'content-range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` }).end(part);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // The server must not keep the process running.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mutation.tif`;
}

async function serve([folder = '', first = '', count = '', ...files]: readonly string[]): Promise<void> {
  const tiffs = files.map((path) => new Uint8Array(readFileSync(path)));
  const entries = tiffs.map(entriesOf);
  const path = join(folder, `mutation-${first}.tif`);
  let bytes = new Uint8Array();
  const address = await rangeServer(() => bytes);
  const network = new Network({ settings: { allowedOrigins: [new URL(address).origin] } });
  const tools = { decoder: new TileDecoder(), network };
  for (const file of files) if (!(await isReadable(file, tools, 1))) throw new Error(`${file} is refused unchanged`);
  let [read, refused, mapped, slowestMs, slowest] = [0, 0, 0, 0, 0];
  const faults: string[] = [];
  const before = peakBytes();
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    if (seed % 100 === 0) console.log(seed);
    const at = seed % tiffs.length;
    bytes = Uint8Array.from(mutationOf(tiffs[at]!, entries[at]!, seed));
    writeFileSync(path, bytes);
    const start = process.cpuUsage();
    try {
      const isLocal = await isReadable(path, tools, seed);
      if (isLocal) read++;
      else refused++;
      if (seed % HTTP_EVERY === 0 && (await isReadable(address, tools, seed)) !== isLocal)
        faults.push(
          `seed ${seed} of ${files[at]}: over HTTP it is ${isLocal ? 'refused' : 'read'}, but as a file it is not`,
        );
      if (seed % MAPS_EVERY === 0 && (await isOnMaps(path, seed))) mapped++;
    } catch (error) {
      faults.push(`seed ${seed} of ${files[at]}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > slowestMs) [slowestMs, slowest] = [(user + system) / 1000, seed];
  }
  const report: MutationReport = { read, refused, mapped, faults, slowestMs, slowest, grewBytes: peakBytes() - before };
  console.log(JSON.stringify(report));
}

if (process.argv[1] === SELF) await serve(process.argv.slice(2));
