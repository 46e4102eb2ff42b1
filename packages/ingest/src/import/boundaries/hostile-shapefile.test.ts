import { describe, expect, it } from 'vitest';
import { GOOD, hostileBench, NAMES } from './hostile-files.fixture.ts';
import { box, dbf, shapefileZip, shp, zip } from './import-files.fixture.ts';

const bench = hostileBench();

describe('an import of a zipped Shapefile', () => {
  const members = (samples = GOOD): { readonly shp: Buffer; readonly dbf: Buffer } => ({
    shp: shp(samples),
    dbf: dbf(samples),
  });
  const as = (parts: { readonly shp: Uint8Array; readonly dbf: Uint8Array }): Buffer =>
    zip([
      { name: 'in.shp', content: parts.shp },
      { name: 'in.dbf', content: parts.dbf },
    ]);
  const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };

  it.each([
    [
      'names outside of the folder',
      () => zip([{ name: '../../evil.shp', content: shp(GOOD) }]),
      /cannot be read|relative path/,
    ],
    ['an absolute name', () => zip([{ name: '/etc/evil.shp', content: shp(GOOD) }]), /absolute path/],
    [
      'a zip file inside the zip file instead of a Shapefile',
      () => zip([{ name: 'in.zip', content: shapefileZip(GOOD) }]),
      /no \.shp/,
    ],
    ['no .dbf', () => zip([{ name: 'in.shp', content: shp(GOOD) }]), /in\.dbf, .* is not in the zip file/],
    ['not a zip file', () => Buffer.from('PK is not enough'), /cannot be read/],
    ['half of a zip file', () => shapefileZip(GOOD).subarray(0, 200), /cannot be read/],
    [
      'a zip bomb that announces its size',
      () =>
        zip([
          { name: 'in.shp', content: shp(GOOD), claimed: 2 ** 32 - 2 },
          { name: 'in.dbf', content: dbf(GOOD) },
        ]),
      /in\.shp would unpack to more than 200 times its size/,
    ],
    [
      'a zip bomb with a correct size',
      () =>
        zip([
          { name: 'in.shp', content: Buffer.concat([shp(GOOD), Buffer.alloc(50_000_000)]) },
          { name: 'in.dbf', content: dbf(GOOD) },
        ]),
      /in\.shp would unpack to more than 200 times its size/,
    ],
    [
      'a zip bomb in its .dbf',
      () =>
        zip([
          { name: 'in.shp', content: shp(GOOD) },
          { name: 'in.dbf', content: Buffer.concat([dbf(GOOD), Buffer.alloc(50_000_000)]) },
        ]),
      /in\.dbf would unpack to more than 200 times its size; remove its empty columns/,
    ],
    [
      'a zip bomb that announces a smaller size',
      () =>
        zip([
          { name: 'in.shp', content: Buffer.alloc(50_000_000), claimed: 100 },
          { name: 'in.dbf', content: dbf(GOOD) },
        ]),
      /cannot be read/,
    ],
    [
      'a .prj of megabytes',
      () =>
        zip([
          { name: 'in.shp', content: shp(GOOD) },
          { name: 'in.dbf', content: dbf(GOOD) },
          { name: 'in.prj', content: Buffer.alloc(1_000_000) },
        ]),
      /larger than/,
    ],
    [
      'more rows than shapes',
      () => as({ shp: members().shp, dbf: members([...GOOD, ...GOOD]).dbf }),
      /have different numbers of rows/,
    ],
    [
      'more shapes than rows',
      () => as({ shp: members([...GOOD, ...GOOD]).shp, dbf: members().dbf }),
      /have different numbers of rows/,
    ],
    [
      'a .shp that is cut off',
      () => as({ ...members(), shp: members().shp.subarray(0, 150) }),
      /in\.shp ends in the middle/,
    ],
    [
      'a .dbf that is cut off',
      () => as({ ...members(), dbf: members().dbf.subarray(0, 140) }),
      /in\.dbf ends in the middle/,
    ],
    [
      'a .dbf of endless rows',
      () => as({ ...members(), dbf: changed(members().dbf, (b) => b.writeUInt32LE(2 ** 32 - 1, 4)) }),
      /in the middle|different numbers of rows/,
    ],
    [
      'a record of gigabytes',
      () => as({ ...members(), shp: changed(members().shp, (b) => b.writeInt32BE(2 ** 31 - 1, 104)) }),
      /announces/,
    ],
    [
      'points',
      () => as({ ...members(), shp: changed(members().shp, (b) => b.writeInt32LE(1, 32)) }),
      /has no polygons/,
    ],
  ])('refuses the file: %s', async (_, make, why) => {
    await bench.put('in.zip', make());
    expect(await bench.refusal('in.zip')).toMatch(why);
  });

  it('refuses only the shapes that have a wrong number of parts or positions, or numbers that are not finite', async () => {
    const samples = ['Cland', 'a', 'b', 'c'].map((tehsil) => ({
      properties: { ...NAMES, tehsil },
      rings: [box(78, 17)],
    }));
    const record = 8 + 48 + 16 * 5;
    const spoilt = changed(shp(samples), (bytes) => {
      bytes.writeInt32LE(2 ** 30, 100 + record + 8 + 36);
      bytes.writeInt32LE(-1, 100 + 2 * record + 8 + 40);
      bytes.writeDoubleLE(Number.NaN, 100 + 3 * record + 8 + 48);
    });
    await bench.put('in.zip', as({ shp: spoilt, dbf: dbf(samples) }));
    const report = await bench.run('places', 'in.zip');
    expect([report.stored, report.refused.map(({ row }) => row)]).toEqual([1, [2, 3, 4]]);
  });
});
