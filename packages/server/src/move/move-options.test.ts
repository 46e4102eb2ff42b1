import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readMoveOptions } from './move-options.ts';

it('reads a dump and its options', () => {
  expect(
    readMoveOptions(['d.jsonl', '--dry-run', '--with-superusers', '--replace-layers', '--report', 'r.json']),
  ).toEqual({
    from: { dump: resolve('d.jsonl') },
    isTrial: true,
    withSuperusers: true,
    mayCompute: false,
    replaceLayers: true,
    report: resolve('r.json'),
  });
});

it('reads the address of a live system and the files of its credentials', () => {
  const options = [
    '--url',
    'https://a.test',
    '--token-file',
    't',
    '--license',
    'MIT',
    '--provider',
    'A',
    '--provider',
    'B',
  ];
  expect(readMoveOptions(options).from).toEqual({
    url: 'https://a.test',
    tokenFile: resolve('t'),
    apiKeyFile: undefined,
    license: 'MIT',
    providers: ['A', 'B'],
  });
});

it.each([
  [[], /one DUMP or --url is needed/],
  [['a', 'b'], /one DUMP or --url is needed/],
  [['a', '--url', 'https://a.test'], /one DUMP or --url is needed/],
  [['a', '--license', 'MIT'], /--license: needs --url/],
  [['--url', 'ftp://a.test', '--token-file', 't'], /--url: must be an address/],
  [['--url', 'https://u:p@a.test', '--token-file', 't'], /use --token-file/],
  [['--url', 'https://a.test'], /--token-file or --api-key-file is needed/],
  [['a', '--report', 'r.csv'], /--report: must be the name of a \.json or \.txt file/],
  [['a', '--token', 's3cret'], /Unknown option '--token'/],
])('%j is refused', (args, why) => {
  expect(() => readMoveOptions(args)).toThrow(why);
});
