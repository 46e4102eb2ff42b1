import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from './config/read-config.ts';
import { exportFolder } from './export-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'exports-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytesOf = (...texts: readonly string[]): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts.map((text) => new TextEncoder().encode(text)));

it('creates folders and replaces files', async () => {
  const folder = exportFolder(join(root, 'later'));
  expect(await folder.read(['A', 'a.version'])).toBeUndefined();
  await folder.write(['A', 'a.xlsx'], bytesOf('first', ' book'));
  await folder.write(['A', 'a.xlsx'], bytesOf('second'));
  await folder.write(['A', 'a.version'], '2');
  expect(await folder.read(['A', 'a.version'])).toBe('2');
  expect([await folder.has(['A', 'a.xlsx']), await folder.has(['A', 'b.xlsx'])]).toEqual([true, false]);
  expect(await readFile(join(root, 'later', 'A', 'a.xlsx'), 'utf8')).toBe('second');
});

it('keeps the existing file if writing the new file fails midway', async () => {
  const folder = exportFolder(root);
  await folder.write(['a.xlsx'], 'whole');
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('half')),
    pull: (controller) => controller.error(new Error('the database does not respond')),
  });
  await expect(folder.write(['a.xlsx'], broken)).rejects.toThrow(/^the database does not respond$/);
  expect([await readFile(join(root, 'a.xlsx'), 'utf8'), await readdir(root)]).toEqual(['whole', ['a.xlsx']]);
});

it('reports the variable of a folder that cannot be written, with a remedy', async () => {
  await writeFile(join(root, 'file'), '');
  const folder = exportFolder(join(root, 'file'));
  const message = /^EXCEL_PATH \(.*file\): .*Make the folder writable, free disk space, or unset EXCEL_PATH\.$/;
  await expect(folder.write(['a.xlsx'], 'x')).rejects.toThrow(message);
  await expect(folder.read(['a.xlsx'])).rejects.toThrow(message);
});

it('reads EXCEL_DIR if EXCEL_PATH is not set', () => {
  expect(readConfig({}).excelPath).toBeUndefined();
  expect(readConfig({ EXCEL_PATH: '/a/b/' }).excelPath).toBe('/a/b');
  expect(readConfig({ EXCEL_DIR: '/a/b' }).excelPath).toBe('/a/b');
  expect(readConfig({ EXCEL_DIR: '/a/b', EXCEL_PATH: '/a/b/' }).excelPath).toBe('/a/b');
  expect(readConfig({ EXCEL_DIR: '/a', EXCEL_PATH: '/b' }).excelPath).toBe('/b');
});
