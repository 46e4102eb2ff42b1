import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readImportOptions } from './import-options.ts';

it('reads kind, files, tehsil, trial and report', () => {
  const place = ['--state', 'A', '--district', 'B', '--tehsil', 'C'];
  expect(
    readImportOptions(['mws', 'a.gpkg', 'b.zip', ...place, '--options', 'o.json', '--dry-run', '--report', 'r.csv']),
  ).toEqual({
    kind: 'mws',
    files: [resolve('a.gpkg'), resolve('b.zip')],
    place: { state: 'A', district: 'B', tehsil: 'C' },
    options: resolve('o.json'),
    isTrial: true,
    report: resolve('r.csv'),
  });
  expect(readImportOptions(['mws', 'a.gpkg'])).toMatchObject({ place: undefined, isTrial: false, report: undefined });
});

it.each([
  [[], /KIND and FILE are needed\.\nusage: headwater import KIND FILE/],
  [['places'], /KIND and FILE are needed/],
  [['mws', 'a.gpkg', '--state', 'A'], /^--district, --tehsil: missing; a tehsil needs --state/],
  [['mws', 'a.gpkg', '--report', 'x.txt'], /--report: must be the name of a \.json or \.csv file/],
  [['mws', 'a.gpkg', '--force'], /Unknown option '--force'[^]*usage:/],
])('%j is refused', (args, why) => {
  expect(() => readImportOptions(args)).toThrow(why);
});
