import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlockCache, type CacheCounts } from './block-cache.ts';
import { BlockFiles, blockKey } from './block-files.ts';
import type { Span } from './runs-of.ts';

const VERSION = { address: 'https://example.org/a.tif', etag: '"1"' };
const FILE = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251);
const OWN: Span = { offset: 9000, length: 100 };
const OTHERS = Array.from({ length: 60 }, (_, index) => ({ offset: 100 * index, length: 100 }));

let folder: string;
let files: BlockFiles;
let requests: Span[];
let counts: CacheCounts[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-block-waiting-'));
  files = new BlockFiles(settings());
  [requests, counts] = [[], []];
  for (const span of OTHERS) files.mark(keyOf(span));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = () => ({ folder, maxBytes: 64e6, minFreeBytes: 0 });
const keyOf = ({ offset, length }: Span): string => blockKey(VERSION.address, VERSION.etag, offset, length);
const bytesOf = ({ offset, length }: Span): Uint8Array => FILE.subarray(offset, offset + length);
const marks = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.mark'))
    .map(({ parentPath, name }) => join(parentPath, name));

async function read(
  meanwhile = (): void => {},
  { signal, isSure = true }: { signal?: AbortSignal; isSure?: boolean } = {},
) {
  const cache = new BlockCache(settings(), (count) => void counts.push(count));
  const fetch = async (span: Span) => {
    requests.push(span);
    if (requests.length === 1) meanwhile();
    return { bytes: bytesOf(span), isSure };
  };
  const contents = await cache.read(VERSION, [OWN, ...OTHERS], { fetch, signal });
  return contents.map((content) => Uint8Array.from(content));
}
const sum = (name: keyof CacheCounts): number => counts.reduce((all, each) => all + each[name], 0);

describe('a reader that waits for blocks of another reader', () => {
  it('reads all of them with one request if the other reader dies', async () => {
    const contents = await read(() => marks().forEach((path) => utimesSync(path, 0, 0)));
    expect(contents).toEqual([OWN, ...OTHERS].map(bytesOf));
    expect(requests).toEqual([OWN, { offset: 0, length: 6000 }]);
    expect([marks(), sum('misses'), sum('hits')]).toEqual([[], 61, 0]);
  });

  it('counts the blocks stored by the other reader as hits, and does not remove the marks of that reader', async () => {
    const others = marks();
    const contents = await read(() => {
      for (const span of OTHERS) files.write(keyOf(span), bytesOf(span));
    });
    expect(contents).toEqual([OWN, ...OTHERS].map(bytesOf));
    expect([requests, sum('hits'), sum('misses')]).toEqual([[OWN], 60, 1]);
    expect(marks()).toEqual(others);
  });

  it('does not include a small block of another reader in a request for the blocks around it', async () => {
    const [between] = OTHERS.slice(10, 11);
    for (const span of OTHERS) if (span !== between) files.unmark(keyOf(span));
    await read(() => files.write(keyOf(OTHERS[10] ?? OWN), bytesOf(OTHERS[10] ?? OWN)));
    expect(requests.toSorted((a, b) => a.offset - b.offset)).toEqual([
      { offset: 0, length: 1000 },
      { offset: 1100, length: 4900 },
      OWN,
    ]);
  });

  it('stops as soon as its signal aborts', async () => {
    const abort = new AbortController();
    const started = performance.now();
    await expect(read(() => abort.abort(), { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(requests).toEqual([OWN]);
  });

  it('does not store bytes if the server does not confirm their version and position', async () => {
    const stale = (): void => marks().forEach((path) => utimesSync(path, 0, 0));
    expect(await read(stale, { isSure: false })).toEqual([OWN, ...OTHERS].map(bytesOf));
    expect([OWN, ...OTHERS].filter((span) => files.read(keyOf(span)) !== undefined)).toEqual([]);
  });
});
