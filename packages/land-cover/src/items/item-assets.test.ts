import { expect, test } from 'vitest';
import { levelAssets } from './item-assets.ts';

const stored = (key: string) => ({ key, bytes: 1, sha256: '0' });
const files = { qml: stored('a.qml'), sld: stored('a.sld') };

test('the styles of levels have the media types of their files', () => {
  const ports = { addresses: { file: (key: string) => key } };
  const assets = levelAssets(ports, { 1: files, 2: files });
  expect(Object.entries(assets).map(([key, { href, type }]) => [key, href, type])).toEqual([
    ['style_level_1', 'a.qml', 'application/xml'],
    ['sld_level_1', 'a.sld', 'application/vnd.ogc.sld+xml'],
    ['style_level_2', 'a.qml', 'application/xml'],
    ['sld_level_2', 'a.sld', 'application/vnd.ogc.sld+xml'],
  ]);
});
