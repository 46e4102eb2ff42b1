import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlockFiles, blockKey } from './block-files.ts';

const PAGE = 4096;
const SIZE = 64 * 16 * PAGE;
const SMALL = new Uint8Array(200);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-block-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (maxBytes = SIZE, minFreeBytes = 0): BlockFiles => new BlockFiles({ folder, maxBytes, minFreeBytes });
const keys = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `00${blockKey(index).slice(2)}`);
const stored = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

describe('the files of the cache of blocks', () => {
  it('stay within the maximum size on disk, also if each block is much smaller than a page of the disk', () => {
    const files = open();
    for (let index = 0; index < 1500; index += 1) files.write(blockKey(index), SMALL);
    expect(stored().length * PAGE).toBeLessThanOrEqual(SIZE);
    expect(stored().length * PAGE).toBeGreaterThan(SIZE / 2);
    expect(new Set(stored().map((path) => join(path, '..'))).size).toBe(64);
  });

  it('exceed the maximum size by less than a quarter if each writer stores only one block', () => {
    for (const key of keys(400)) open(4 * SIZE).write(key, SMALL);
    expect(stored().length).toBeLessThan(1.25 * 64);
  });

  it('are removed when their folder is full, the least recently used first', () => {
    const files = open();
    const [first = '', second = '', ...others] = keys(17);
    for (const key of [first, second, ...others.slice(0, 14)]) files.write(key, SMALL);
    for (const path of stored()) utimesSync(path, 1, path.endsWith(second) ? 1 : 2);
    expect(Uint8Array.from(files.read(first) ?? [])).toEqual(SMALL);
    files.write(others[14] ?? '', SMALL);
    expect([first, second, others[14] ?? ''].map((key) => files.read(key) !== undefined)).toEqual([true, false, true]);
  });

  it('contain no draft or mark that a killed process left more than an hour ago', () => {
    const files = open();
    const [key = '', left = '', young = ''] = keys(3);
    files.mark(left);
    files.mark(young);
    const [mark = ''] = stored().filter((path) => path.includes(left));
    const draft = join(mark, '..', `${left}.0123456789ab.tmp`);
    writeFileSync(draft, SMALL);
    const old = Date.now() / 1000 - 3700;
    for (const path of [mark, draft]) utimesSync(path, old, old);
    files.write(key, SMALL);
    expect(stored().map((path) => path.slice(-45).replace(/^.*\//, ''))).toEqual(
      expect.arrayContaining([key, `${young}.mark`]),
    );
    expect(stored()).toHaveLength(2);
  });

  it('are removed and not added if the disk has too little free space', () => {
    const files = open();
    const [late = '', ...others] = keys(17);
    for (const key of others) files.write(key, SMALL);
    const before = stored().length;
    open(SIZE, 2 ** 60).write(late, SMALL);
    expect(stored().length).toBeLessThan(before);
    expect(open().read(late)).toBeUndefined();
  });

  it('contain no draft of a block that could not be written; for a while after such a failure, no block is written', () => {
    const files = open();
    const [blocked = '', other = ''] = keys(2);
    mkdirSync(join(folder, '0', blocked), { recursive: true });
    files.write(blocked, SMALL);
    files.write(other, SMALL);
    expect(stored()).toEqual([]);
    open().write(other, SMALL);
    expect(stored().map((path) => statSync(path).size)).toEqual([212]);
  });
});
