import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEndless } from '../geopackage/endless-table.fixture.ts';
import { layerNames } from '../../download/import-boundaries.ts';
import { GOOD, hostileBench, NAMES } from './hostile-files.fixture.ts';
import { box, writeGpkg } from './import-files.fixture.ts';

const bench = hostileBench();

describe('an import of a GeoPackage', () => {
  const at = (name: string): string => join(bench.dir, name);
  it.each([
    [
      'a view as the layer',
      `drop table "layer"; create view "layer" as select 1 as fid, null as geom;`,
      /view or a virtual table/,
    ],
    [
      'an endless view as the list of layers',
      `drop table gpkg_contents; create view gpkg_contents as with recursive n(i) as (select 1 union all select i from n)
         select 'layer' as table_name, 'features' as data_type, i as srs_id from n;`,
      /view or a virtual table/,
    ],
    [
      'a virtual table',
      `drop table "layer"; create virtual table "layer" using fts5(geom);`,
      /view or a virtual table/,
    ],
    ['no layer', 'delete from gpkg_contents;', /no layer of features/],
    [
      'a layer that does not exist',
      `update gpkg_contents set table_name = 'gone'; update gpkg_geometry_columns set table_name = 'gone';`,
      /no table "gone"/,
    ],
    [
      'a geometry column that does not exist',
      `update gpkg_geometry_columns set column_name = 'shape';`,
      /no column "shape"/,
    ],
    ['invalid values in its lists', `update gpkg_geometry_columns set srs_id = 'x';`, /invalid values/],
    [
      'two layers',
      `create table two (fid integer, geom blob); insert into gpkg_contents values ('two', 'features', 4326);
       insert into gpkg_geometry_columns values ('two', 'geom', 4326);`,
      /has 2 layers \(layer, two\).*ogr2ogr/,
    ],
  ])('refuses the file: %s', async (_, more, why) => {
    writeGpkg(at('in.gpkg'), GOOD, { more });
    expect(await bench.refusal('in.gpkg')).toMatch(why);
  });

  it('imports a file with a trigger, and with a generated column of 1.8 GB, which is not computed', async () => {
    writeGpkg(at('in.gpkg'), GOOD, {
      more: `create table seen (n); create trigger spy after insert on "layer" begin insert into seen values (1); end;
        alter table "layer" add column uid generated always as (hex(zeroblob(900000000))) virtual;`,
    });
    expect(await bench.run('places', 'in.gpkg')).toMatchObject({ stored: 1, refusedCount: 0 });
  });

  it('accepts a layer name that contains SQL', async () => {
    writeGpkg(at('in.gpkg'), GOOD, { table: 'a"; drop table gpkg_contents; --'.replaceAll('"', '') });
    expect(await bench.run('places', 'in.gpkg')).toMatchObject({ stored: 1 });
  });

  it('refuses only the features with a geometry that is shorter than its header says, or with a blob that is no geometry', async () => {
    writeGpkg(
      at('in.gpkg'),
      [...GOOD, ...['a', 'b', 'c', 'd'].map((tehsil) => ({ properties: { ...NAMES, tehsil }, rings: [box(79, 17)] }))],
      {
        more: `update layer set geom = x'4750000100000000' || x'0103000000ffffffff' where fid = 2; update layer set geom = 'text' where fid = 3;
        update layer set geom = zeroblob(100000000) where fid = 4; update layer set geom = x'475000' where fid = 5;`,
      },
    );
    const report = await bench.run('places', 'in.gpkg');
    expect([report.stored, report.refused.map(({ row }) => row)]).toEqual([1, [2, 3, 4, 5]]);
  });

  it.each([[0], [5000], [9000]])('refuses a file that is cut off at %i bytes', async (size) => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      properties: { ...NAMES, tehsil: `T ${i}` },
      rings: [box(78, 17)],
    }));
    writeGpkg(at('in.gpkg'), many);
    await truncate(at('in.gpkg'), size);
    expect(await bench.refusal('in.gpkg')).toMatch(/not a GeoPackage|cannot be read/);
  });

  it('refuses a file that another program has open', async () => {
    writeGpkg(at('in.gpkg'), GOOD);
    await writeFile(at('in.gpkg-wal'), 'x');
    expect(await bench.refusal('in.gpkg')).toMatch(/another program has this GeoPackage open/);
  });

  it('stops reading endless rows at the limit of features of one tehsil', { timeout: 120_000 }, async () => {
    writeGpkg(at('in.gpkg'), [{ properties: { ...NAMES, uid: '12_1' }, rings: [box(78, 17)] }]);
    makeEndless(at('in.gpkg'), 'layer');
    expect(await bench.refusal('in.gpkg', 'mws')).toMatch(/Cland \(Bland, Aland\) has more than 10000 features/);
  });

  it('stops SQLite in the middle of an endless list of layers when the signal aborts', async () => {
    writeGpkg(at('in.gpkg'), GOOD, { more: `update gpkg_contents set data_type = 'tiles';` });
    makeEndless(at('in.gpkg'), 'gpkg_contents');
    const late = { name: 'TimeoutError' };
    await expect(bench.run('places', 'in.gpkg', { signal: AbortSignal.timeout(3000) })).rejects.toMatchObject(late);
    await expect(layerNames(at('in.gpkg'), AbortSignal.timeout(3000))).rejects.toMatchObject(late);
    expect(await readdir(bench.scratch)).toEqual([]);
  });
});
