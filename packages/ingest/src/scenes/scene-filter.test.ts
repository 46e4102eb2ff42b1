import { describe, expect, it } from 'vitest';
import { createSceneCollector } from './scene-filter.ts';

const query = { bbox: [75, 23, 76, 24], start: '2023-01-01', end: '2024-01-01' } as const;

function item(properties: Readonly<Record<string, string>>): object {
  const asset = (name: string) => ({ href: `./${name}.tif`, type: 'image/tiff; application=geotiff' });
  return {
    type: 'Feature',
    id: 'S2A_43QHF_20230110_0_L2A',
    collection: 'c',
    bbox: [75, 23, 76, 24],
    properties: { datetime: '2023-01-10T05:30:00Z', 'proj:code': 'EPSG:32643', ...properties },
    assets: { B04: asset('B04'), B08: asset('B08'), SCL: asset('SCL') },
  };
}

describe('two sources with the same scene', () => {
  const older = { 's2:processing_baseline': '04.00', 's2:generation_time': '2023-01-10T12:00:00Z' };
  const newer = { 's2:processing_baseline': '05.10', 's2:generation_time': '2024-08-01T00:00:00Z' };
  const again = { ...older, 's2:generation_time': '2023-02-01T00:00:00Z' };
  const unversioned = {};

  it.each([
    ['a newer baseline', [older, newer], '/1/B04.tif'],
    ['a newer baseline found first', [newer, older], '/0/B04.tif'],
    ['a later processing with the same baseline', [older, again], '/1/B04.tif'],
    ['a known baseline', [unversioned, older], '/1/B04.tif'],
    ['the first of equal versions', [older, older], '/0/B04.tif'],
    ['the first if no version is known', [unversioned, unversioned], '/0/B04.tif'],
  ])('return the scene once; chosen: %s', (_, found, href) => {
    const into = createSceneCollector({ ...query }, undefined);
    for (const [i, properties] of found.entries()) into.add(item(properties), `/${i}/item.json`);
    const { scenes, rejected } = into.result();
    expect(rejected).toEqual([]);
    expect(scenes.map(({ bands }) => bands['red']?.href)).toEqual([href]);
  });
});
