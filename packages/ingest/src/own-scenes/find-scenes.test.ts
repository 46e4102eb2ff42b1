import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findScenes } from './find-scenes.ts';
import { walkFolder } from './walk-folder.ts';
import type { GivenRadiometry, OwnScene } from './own-scene.ts';
import { parseSafeMetadata } from './safe-metadata.ts';
import { safeImage, safeMetadata, safeName, type SafeProduct } from './safe.fixture.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'headwater own scenes '))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array = 'x'): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const IMAGES = [
  ['B02', 10],
  ['B02', 20],
  ['B8A', 20],
  ['B11', 20],
  ['SCL', 20],
  ['SCL', 60],
] as const;

const filesOf = (product: SafeProduct): readonly (readonly [string, string])[] => [
  [`MTD_MSIL${product.level ?? '2A'}.xml`, safeMetadata(product)],
  ...IMAGES.map(([band, metres]) => [safeImage(product, band, metres), 'x'] as const),
  ['GRANULE/L2A/QI_DATA/MSK_QUALIT_B02.jp2', 'x'],
];

async function putProduct(product: SafeProduct, path = safeName(product)): Promise<void> {
  for (const [name, content] of filesOf(product)) await put(`${path}/${name}`, content);
}

it('reports that a folder has more files than are read', async () => {
  for (const name of ['a.tif', 'b/c.tif', 'd.tif']) await put(name);
  const all = await walkFolder(folder, () => true, 3);
  expect([all.files.length, all.isWhole]).toEqual([3, true]);
  const first = await walkFolder(folder, () => true, 2);
  expect([first.files.map(({ path }) => path), first.isWhole]).toEqual([
    [join(folder, 'a.tif'), join(folder, 'b/c.tif')],
    false,
  ]);
});

const find = (given: GivenRadiometry = {}) => findScenes({ folder, target: join(folder, 'made'), given });
const bandsOf = ({ sources }: OwnScene) =>
  [...sources].map(([band, { metres }]) => `${band} ${metres ?? ''}`).toSorted();
const OLD: SafeProduct = { sensing: '20190615T051139', baseline: '02.14' };
const FOURTH: SafeProduct = { sensing: '20220615T051131', baseline: '04.00' };
const NEW: SafeProduct = { sensing: '20230615T051131', baseline: '05.09' };

describe('findScenes', () => {
  it('reads offset, baseline, time and cloud of products from their metadata, also in folders with odd names', async () => {
    await putProduct(OLD);
    await putProduct(FOURTH, 'by hand/S2 (June) 2022 – copy');
    await putProduct(NEW, `disk 2/${safeName(NEW)}`);
    const { scenes, leftOut } = await find({ offset: 7 });
    expect(leftOut).toEqual([]);
    expect(scenes.map(({ id }) => `${id}.SAFE`)).toEqual([OLD, FOURTH, NEW].map(safeName));
    expect(scenes.map(({ radiometry: { basis, baseline } }) => [basis, baseline])).toEqual([
      ['metadata', '02.14'],
      ['metadata', '04.00'],
      ['metadata', '05.09'],
    ]);
    expect(scenes.map(({ radiometry: { offset } }) => (offset instanceof Map ? offset.get('B11') : offset))).toEqual([
      0, -1000, -1000,
    ]);
    expect(scenes[1]).toMatchObject({
      tile: '43QGV',
      day: '2022-06-15',
      time: '05:11:31',
      platform: 'S2A',
      cloudCover: 12.5,
      productUri: safeName(FOURTH),
    });
    expect(scenes.map(bandsOf)).toEqual(scenes.map(() => ['blue 10', 'scl 20', 'swir16 20']));
  });

  it('reads zip files of products, and prefers the folder of the same product', async () => {
    const zipped = (product: SafeProduct) =>
      zipSync(
        Object.fromEntries(filesOf(product).map(([name, text]) => [`${safeName(product)}/${name}`, strToU8(text)])),
      );
    await put('a/NEW product.zip', zipped(NEW));
    await put(`${safeName(OLD)}.zip`, zipped(OLD));
    await putProduct(OLD);
    await put('broken.SAFE.zip', 'no zip');
    await put('photos.zip', zipSync({ 'photo.tif': strToU8('x') }));
    await put('papers.zip', zipSync({ 'paper.pdf': strToU8('x') }));
    const { scenes, leftOut } = await find();
    expect(scenes.map(({ from }) => from)).toEqual([join(folder, safeName(OLD)), join(folder, 'a/NEW product.zip')]);
    expect(scenes[1]?.sources.get('blue')).toMatchObject({ member: `${safeName(NEW)}/${safeImage(NEW, 'B02', 10)}` });
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/not a readable zip file.*download it again/),
      expect.stringMatching(/images without a product; unpack it/),
      expect.stringMatching(/has the same product/),
    ]);
  });

  it('uses the newest processing of an acquisition, and every tile and date', async () => {
    await putProduct(FOURTH);
    await putProduct({ ...FOURTH, baseline: '05.10' });
    await putProduct({ ...FOURTH, tile: '43QHV' });
    await putProduct({ ...FOURTH, sensing: '20220620T051131' });
    const { scenes, leftOut } = await find();
    expect(scenes.map(({ tile, day, radiometry }) => [tile, day, radiometry.baseline])).toEqual([
      ['43QHV', '2022-06-15', '04.00'],
      ['43QGV', '2022-06-15', '05.10'],
      ['43QGV', '2022-06-20', '04.00'],
    ]);
    expect(leftOut).toEqual([
      {
        shown: join(folder, safeName(FOURTH)),
        reason: expect.stringMatching(/newer processing baseline \(05\.10\)/),
        isHarmless: true,
      },
    ]);
  });

  it('also uses an older processing if it has a band that the newer processing lacks', async () => {
    await putProduct(FOURTH);
    const incomplete = { ...FOURTH, baseline: '05.10' };
    await putProduct(incomplete);
    await rm(join(folder, safeName(incomplete), safeImage(incomplete, 'B11', 20)));
    expect((await find()).scenes.map(({ radiometry }) => radiometry.baseline)).toEqual(['04.00', '05.10']);
  });

  it('leaves out products of Level-1C, products without images or valid metadata, archives and unfinished downloads', async () => {
    await putProduct({ ...NEW, level: '1C' });
    await put(`${safeName(OLD)}/MTD_MSIL2A.xml`, safeMetadata(OLD));
    await put(`${safeName(FOURTH)}/MTD_MSIL2A.xml`, '<broken');
    await put('S2.SAFE.zip.crdownload');
    await put('all.tar.gz');
    await put('notes.txt');
    const { scenes, leftOut } = await find();
    expect(scenes).toEqual([]);
    expect(leftOut.map(({ reason }) => reason).toSorted()).toEqual([
      expect.stringMatching(/it has no image of a band.*download the whole product again/),
      expect.stringMatching(/it is Level-1C.*download the Level-2A product/),
      expect.stringMatching(/it is an archive; unpack it/),
      expect.stringMatching(/it is an unfinished download/),
      expect.stringMatching(/metadata .* are not valid XML/),
    ]);
  });

  it('groups loose files by tile (if none is named, by folder) and time, and reads baselines from paths', async () => {
    await put('R10m/T43QGV_20220115T051131_B02_10m.jp2');
    await put('R20m/T43QGV_20220115T051131_B02_20m.jp2');
    await put('R20m/T43QGV_20220115T051131_SCL_20m.jp2');
    await put('S2A_43QGV_20230715_0_L2A/B04.tif');
    await put('S2A_43QGV_20230715_0_L2A/scl.tif');
    await put('x_N0510_y/T43QGV_20230720_B04.tif');
    await put('farm north/2023-07-25/B08.tif');
    await put('farm south/2023-07-25/B08.tif');
    await put('B04.tif');
    await put('20230715/picture.tif');
    await put('20230715/B05.tif');
    const { scenes, leftOut } = await find();
    expect(scenes.map((scene) => [scene.id, bandsOf(scene).join(), scene.radiometry.basis])).toEqual([
      ['S2_T43QGV_20220115T051131', 'blue 10,scl 20', 'day'],
      ['S2A_T43QGV_20230715', 'red ,scl ', 'unknown'],
      ['S2_T43QGV_20230720_N0510', 'red ', 'name'],
      ['S2_farm-north-2023-07-25_20230725', 'nir ', 'unknown'],
      ['S2_farm-south-2023-07-25_20230725', 'nir ', 'unknown'],
    ]);
    expect(scenes[2]?.radiometry).toMatchObject({ baseline: '05.10', offset: -1000 });
    expect(leftOut.filter(({ isHarmless }) => !isHarmless).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/its name has no band.*rename it/),
      expect.stringMatching(/day of acquisition: rename/),
    ]);
    const given = await find({ baseline: '05.10' });
    expect(given.scenes[1]?.radiometry).toEqual({ basis: 'given', scale: 0.0001, baseline: '05.10', offset: -1000 });
    expect((await find({ offset: 0 })).scenes[1]?.radiometry).toEqual({ basis: 'given', scale: 0.0001, offset: 0 });
  });

  it('reads the expected sizes of images from the manifest, and skips folders of catalogues and the target', async () => {
    await putProduct(NEW);
    const href = `./${safeImage(NEW, 'B02', 10)}`;
    const entry = `<byteStream mimeType="application/octet-stream" size="100"><fileLocation locatorType="URL" href="${href}"/></byteStream>`;
    await put(`${safeName(NEW)}/manifest.safe`, `<xfdu>${entry}</xfdu>`);
    await put('made/catalog.json', '{}');
    await put('made/S2/T43QGV_20220115T051131_B02_10m.tif');
    await put('other/collection.json', '{}');
    await put('other/T43QGV_20220115T051131_B02_10m.tif');
    const { scenes } = await find();
    expect(scenes.map(({ day }) => day)).toEqual(['2023-06-15']);
    expect(scenes[0]?.sources.get('blue')).toMatchObject({ bytes: 1, announcedBytes: 100 });
    expect(scenes[0]?.sources.get('scl')).not.toHaveProperty('announcedBytes');
  });
});

it('parseSafeMetadata reads the element names of 2017; refuses other XML, declared entities and more than 200,000 elements', () => {
  const old = safeMetadata(OLD)
    .replaceAll('PRODUCT_URI', 'PRODUCT_URI_2A')
    .replaceAll('BOA_QUANTIFICATION_VALUE', 'L2A_BOA_QUANTIFICATION_VALUE');
  expect(parseSafeMetadata(old)).toMatchObject({ uri: safeName(OLD), baseline: '02.14', quantification: 10_000 });
  expect(parseSafeMetadata('<a><b>1</b></a>')).toBeUndefined();
  expect(parseSafeMetadata(`<!DOCTYPE a [<!ENTITY x "xxxx">]><a><PRODUCT_URI>&x;</PRODUCT_URI></a>`)).toBeUndefined();
  expect(parseSafeMetadata(`<a>${'<b/>'.repeat(200_001)}<PRODUCT_URI>u</PRODUCT_URI></a>`)).toBeUndefined();
});
