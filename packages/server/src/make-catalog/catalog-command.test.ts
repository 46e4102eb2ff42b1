import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readCatalogOptions } from './catalog-command.ts';

it('reads the options', () => {
  expect(readCatalogOptions(['my downloads'])).toEqual({
    folder: resolve('my downloads'),
    name: 'own-scenes',
    given: {},
  });
  expect(readCatalogOptions(['/a', '--name', 'b-2.c', '--offset', '-1000'])).toMatchObject({
    folder: '/a',
    name: 'b-2.c',
    given: { offset: -1000 },
  });
  expect(readCatalogOptions(['--offset=-500', '/a']).given).toEqual({ offset: -500 });
  expect(readCatalogOptions(['/a', '--baseline', '05.10']).given).toEqual({ baseline: '05.10' });
});

it.each([
  [[], /FOLDER: name one folder of downloads.*usage: headwater make-catalog FOLDER.*--baseline NN\.NN {2}processing/s],
  [['a', 'b'], /FOLDER: name one folder/],
  [['.', '--name', '../x'], /--name: "\.\.\/x" is not a name of letters/],
  [['.', '--baseline', '5.1'], /--baseline: must be a processing baseline such as 05\.10, not "5\.1"/],
  [['.', '--offset', 'x'], /--offset: must be a whole number such as 0 or -1000, not "x"/],
  [['.', '--offset', '0', '--baseline', '05.10'], /--baseline, --offset: give one of them/],
  [['.', '--ofset', '0'], /Unknown option '--ofset'.*usage: headwater make-catalog/s],
])('refuses %j', (args, message) => {
  expect(() => readCatalogOptions(args)).toThrow(message);
});
