import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { bombed, chained, claiming, hugeTables, selfPointing, TAG } from '../scripts/spoilt-tiff.mjs';

/** A hostile file of a scene, and the reason why a run skips this scene. */
export interface HostileFile {
  readonly name: string;
  /** Damages the Item `item.json` or the file `B04.tif` in this folder. */
  readonly spoil: (scene: string) => void;
  readonly reason: RegExp;
}

const GIB = 2 ** 30;

const rewritten = (change: (tiff: Uint8Array) => Uint8Array, size?: number) => (scene: string) => {
  const path = join(scene, 'B04.tif');
  writeFileSync(path, change(readFileSync(path)));
  if (size !== undefined) truncateSync(path, size);
};
const cutTo = (share: number) => rewritten((tiff) => tiff.subarray(0, Math.floor(tiff.length * share)));
const replaced = (put: (path: string) => void) => (scene: string) => {
  rmSync(join(scene, 'B04.tif'));
  put(join(scene, 'B04.tif'));
};
const linked = (target: string) => replaced((path) => symlinkSync(target, path));
const claims = (tag: number, value: number) => (tiff: Uint8Array) => claiming(tiff, { tag, value });

/** Returns the hostile files; `key` is the path of a secret outside of the folder of scenes. */
export const hostileFiles = (key: string): readonly HostileFile[] => [
  {
    name: 'a directory that refers to itself',
    spoil: rewritten(selfPointing),
    reason: /B04\.tif: .*chain of directories returns/,
  },
  { name: '5000 directories', spoil: rewritten((tiff) => chained(tiff, 5000)), reason: /B04\.tif: .*256 directories/ },
  { name: '67 million tiles', spoil: rewritten(hugeTables), reason: /B04\.tif: it claims 67108864 tiles/ },
  {
    name: 'tables in the hole of a sparse file of 8 GB',
    spoil: rewritten(
      (tiff) => claiming(tiff, { tag: TAG.TileOffsets, type: 16, count: 2 ** 28, value: 4096 }),
      8 * GIB,
    ),
    reason: /B04\.tif: its headers fill more than 32 MB/,
  },
  { name: 'cut in its headers', spoil: cutTo(0.05), reason: /B04\.tif: its TIFF headers cannot be read/ },
  { name: 'cut in its pixels', spoil: cutTo(0.7), reason: /B04\.tif: it is truncated/ },
  {
    name: 'a side of 2^32 - 1',
    spoil: rewritten((tiff) => claims(TAG.ImageHeight, 2 ** 32 - 1)(claims(TAG.ImageWidth, 2 ** 32 - 1)(tiff))),
    reason: /B04\.tif: .*have no size/,
  },
  {
    name: 'tiles of 2^31',
    spoil: rewritten((tiff) => claims(TAG.TileHeight, 2 ** 31 - 16)(claims(TAG.TileWidth, 2 ** 31 - 16)(tiff))),
    reason: /B04\.tif: one of its tiles .* is larger than 64 MB/,
  },
  { name: '65535 bits', spoil: rewritten(claims(TAG.BitsPerSample, 65_535)), reason: /B04\.tif: its 65535 bit/ },
  {
    name: 'a tile that inflates to 64 MB',
    spoil: rewritten((tiff) => bombed(tiff, deflateSync(new Uint8Array(GIB / 16), { level: 9 }))),
    reason: /B04\.tif: the tile at byte \d+ is damaged/,
  },
  { name: 'a pipe', spoil: replaced((path) => execFileSync('mkfifo', [path])), reason: /B04\.tif: it is a pipe/ },
  { name: 'a folder', spoil: replaced((path) => mkdirSync(path)), reason: /B04\.tif: it is a folder/ },
  { name: 'a link to /dev/zero', spoil: linked('/dev/zero'), reason: /B04\.tif: it is outside/ },
  { name: 'a link to a secret', spoil: linked(key), reason: /B04\.tif: it is outside/ },
  {
    name: 'the path of a secret in the Item',
    spoil: (scene) => {
      const item = join(scene, 'item.json');
      writeFileSync(item, readFileSync(item, 'utf8').replace('./B04.tif', key));
    },
    reason: /: it is outside/,
  },
];

/** Writes a catalogue with hostile Items; returns the expected log line of each Item. */
export function writeHostileCatalogue(dir: string, key: string): readonly RegExp[] {
  mkdirSync(join(dir, 'folder.json'), { recursive: true });
  const at = (name: string): string => join(dir, name);
  execFileSync('mkfifo', [at('pipe.json')]);
  symlinkSync('/dev/zero', at('zero.json'));
  symlinkSync(key, at('key.json'));
  writeFileSync(at('large.json'), '');
  truncateSync(at('large.json'), 16 * GIB);
  writeFileSync(at('wide.json'), `[${'[],'.repeat(5_000_000)}1]`);
  writeFileSync(at('deep.json'), '['.repeat(8_000_000) + ']'.repeat(8_000_000));
  const names = ['folder', 'pipe', 'zero', 'key', 'large', 'wide', 'deep'].map((name) => `${name}.json`);
  const links = [...names, key].map((href) => ({ rel: 'item', href }));
  writeFileSync(at('catalog.json'), JSON.stringify({ type: 'Catalog', id: 'hostile', links }));
  return [
    /Left out folder\.json: .*it is a folder/,
    /Left out pipe\.json: .*it is a pipe/,
    /Left out zero\.json: .*it is outside/,
    /Left out key\.json: .*it is outside/,
    /Left out large\.json: .*it has 17179869184 bytes/,
    /Left out wide\.json: .*more than about 1000000 values/,
    /Left out deep\.json: .*more than about 1000000 values/,
    /Left out \S*key\S*: .*it is outside/,
  ];
}
