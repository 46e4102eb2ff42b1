import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findGdal } from './gdal.ts';

const before = process.env['PATH'];
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-path-'));
  process.env['PATH'] = folder;
});
afterEach(async () => {
  process.env['PATH'] = before;
  await rm(folder, { recursive: true, force: true });
});

async function install(script: string): Promise<void> {
  await writeFile(join(folder, 'gdal_translate'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'gdal_translate'), 0o755);
}

it('finds no GDAL if none is installed', async () => {
  expect(await findGdal()).toBeUndefined();
});

it('reports whether GDAL has a driver of JPEG 2000', async () => {
  await install(
    `echo '  GTiff -raster- (rw+vs): GeoTIFF'; echo '  JP2OpenJPEG -raster,vector- (rwv): JPEG-2000 driver'`,
  );
  expect(await findGdal()).toMatchObject({ readsJp2: true });
  await install(`echo '  GTiff -raster- (rw+vs): GeoTIFF'`);
  expect(await findGdal()).toMatchObject({ readsJp2: false });
});

it('reports a GDAL that fails', async () => {
  await install('echo "libgdal.so.32: cannot open shared object file" >&2; exit 127');
  await expect(findGdal()).rejects.toThrow(/gdal_translate is installed but fails: libgdal\.so\.32: cannot open/);
});
