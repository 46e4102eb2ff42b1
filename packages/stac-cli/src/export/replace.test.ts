import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documents, treeOf } from '../catalogue.fixture.ts';
import { TargetError } from '../errors.ts';
import { exportStatic } from './export-static.ts';
import { exportTree, FORMATS, type ExportFormat } from './export-tree.ts';

let dir: string;
let out: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-replace-'));
  out = join(dir, 'out');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true, force: true });
});

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const replacing = (format: ExportFormat): Promise<unknown> =>
  exportTree(treeOf(documents()), { format, out, replace: true });

describe('replacing', () => {
  it.each(FORMATS)('format %s: replaces a former export, and an empty target', async (format) => {
    if (format === 'static') await mkdir(out);
    else await put(out, '');
    await replacing(format);
    await replacing(format);
    expect(await readdir(dir)).toEqual(['out']);
  });

  it.each(FORMATS)('format %s: does not replace any other folder', async (format) => {
    await put(join(out, 'thesis/chapter.txt'), 'Chapter 1');
    await expect(replacing(format)).rejects.toThrow(TargetError);
    expect(await readFile(join(out, 'thesis/chapter.txt'), 'utf8')).toBe('Chapter 1');
    expect(await readdir(dir)).toEqual(['out']);
  });

  it.each([
    ['README.md'],
    ['.git/HEAD'],
    ['tehsil_wise/assam/package.json'],
    ['tehsil_wise/assam/cachar/cachar/assam_cachar_cachar_slope_raster/slope.tif'],
    ['out.json'],
  ])('does not replace an export with the extra file %s', async (name) => {
    await exportStatic(treeOf(documents()), out);
    await put(join(out, name), 'mine');
    await expect(replacing('static')).rejects.toThrow(
      `${join(out, name)} is not part of an exported catalogue; only a former export can be replaced: choose another name`,
    );
    expect(await readFile(join(out, name), 'utf8')).toBe('mine');
  });

  it('does not replace a symbolic link, or a folder that contains a symbolic link', async () => {
    const elsewhere = join(dir, 'elsewhere');
    await exportStatic(treeOf(documents()), elsewhere);
    await symlink(elsewhere, out);
    for (const format of FORMATS) await expect(replacing(format)).rejects.toThrow(`${out} is not a f`);
    await rm(out);
    await exportStatic(treeOf(documents()), out);
    await symlink(elsewhere, join(out, 'collection.json'));
    await expect(replacing('static')).rejects.toThrow('collection.json is not part of an exported catalogue');
  });

  it('does not replace the tree that is read, for any spelling of its path', async () => {
    await exportStatic(treeOf(documents()), out);
    await symlink(dir, join(dir, 'again'));
    const root = pathToFileURL(join(out, 'catalog.json')).href;
    const read = async (href: string): Promise<unknown> => JSON.parse(await readFile(fileURLToPath(href), 'utf8'));
    const onto = (format: ExportFormat, place: string) =>
      exportTree({ root, read }, { format, out: place, replace: true });
    await expect(onto('static', out)).rejects.toThrow(`${out} contains the tree that is read; choose another target`);
    await expect(onto('static', join(dir, 'again/out'))).rejects.toThrow(TargetError);
    await expect(onto('ndjson', join(out, 'catalog.json'))).rejects.toThrow(TargetError);
    await onto('static', `${out}2`);
    expect(await readdir(`${out}2`)).toEqual(await readdir(out));
  });

  it.each(['here', 'here/below'])(
    'does not replace the current directory or a folder that contains it: %s',
    async (name) => {
      const here = join(dir, name);
      await mkdir(here, { recursive: true });
      vi.spyOn(process, 'cwd').mockReturnValue(here);
      for (const place of [join(dir, 'here'), '.'])
        await expect(exportTree(treeOf(documents()), { format: 'static', out: place })).rejects.toThrow(
          `${place} is the current directory, or contains it; choose another folder`,
        );
      await exportTree(treeOf(documents()), { format: 'static', out: 'below' });
      expect(await readdir(join(here, 'below'))).toEqual(['catalog.json', 'tehsil_wise']);
    },
  );

  it.each([['{"type":"Feature"}'], ['{'], ['[]']])(
    'does not replace a folder whose catalog.json is %s',
    async (text) => {
      await put(join(out, 'catalog.json'), text);
      await expect(replacing('static')).rejects.toThrow(`there is no Catalog at ${join(out, 'catalog.json')}`);
    },
  );

  it('does not replace a file by a folder, or a folder by a file', async () => {
    await replacing('ndjson');
    await expect(replacing('static')).rejects.toThrow(`${out} is not a folder`);
    await rm(out);
    await replacing('static');
    await expect(replacing('geoparquet')).rejects.toThrow(`${out} is not a file`);
  });
});
