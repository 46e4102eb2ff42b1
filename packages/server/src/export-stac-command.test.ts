import { expect, it } from 'vitest';
import { readExportStacOptions } from './export-stac-command.ts';

it('reads the target, the format, and the option to replace', () => {
  expect(readExportStacOptions(['--out', '/srv/stac'])).toEqual({ format: 'static', out: '/srv/stac', replace: false });
  expect(readExportStacOptions(['--format', 'geoparquet', '--out', '/srv/items.parquet', '--replace'])).toEqual({
    format: 'geoparquet',
    out: '/srv/items.parquet',
    replace: true,
  });
});

it.each([
  [[], '--out: the folder or file to write is needed.'],
  [['--out', ' '], '--out: the folder or file to write is needed.'],
  [['--out', 'x', '--format', 'zip'], '--format: "zip" is not one of static, ndjson, geoparquet.'],
  [['--out', 'x', 'y'], 'y'],
  [['--to', 'x'], '--to'],
])('%j is refused with the usage', (args, expected) => {
  expect(() => readExportStacOptions(args)).toThrow(expected);
  expect(() => readExportStacOptions(args)).toThrow('usage: headwater export-stac');
});
