import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOpen, listsOpenFiles } from '../open-files.fixture.ts';
import { createDirectoryAssets } from './directory-assets.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-left-')));
const assets = createDirectoryAssets(root);
const KEY = 'run/1/large.tif';
const BYTES = 1_000_000;

beforeAll(async () => {
  await assets.begin('run', 1);
  await assets.write('run', 1, 'large.tif', new Uint8Array(BYTES));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const READING: readonly (readonly [string, (reader: Reader) => Promise<void>])[] = [
  ['before it was read', async () => {}],
  ['while its first bytes are read', async (reader) => void reader.read()],
  ['between two reads', async (reader) => void (await reader.read())],
];

it.skipIf(!listsOpenFiles).each(READING)('closes the file if its stream is cancelled %s', async (_when, read) => {
  const stream = (await assets.open(KEY))?.stream(0, BYTES - 1);
  if (stream === undefined) throw new Error(`${KEY} is missing`);
  const reader = stream.getReader();
  await read(reader);
  await reader.cancel();
  await expect.poll(() => isOpen(join(root, KEY))).toBe(false);
});
