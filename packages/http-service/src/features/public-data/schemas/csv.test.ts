import { expect, it } from 'vitest';
import { csvText } from './csv.ts';

const cell = (value: Parameters<typeof csvText>[0][0]): string =>
  csvText([], [[value]])
    .slice(2)
    .replace(/\r\n$/, '');

it('writes lines of fields, quoted if necessary', () => {
  const rows = [
    ['12_1', -0.5, 1e21, true, null],
    ['a,b', 'say "yes"', 'two\nlines', ' blank', [12, 'x', null]],
  ];
  expect(csvText(['uid', 'x,y', 'z'], rows)).toBe(
    'uid,"x,y",z\r\n12_1,-0.5,1e+21,true,\r\n"a,b","say ""yes""","two\nlines"," blank","[12,""x"",null]"\r\n',
  );
});

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("http://x.example","a")', `"'=HYPERLINK(""http://x.example"",""a"")"`],
  ['\t=1', `'\t=1`],
  ['\r=1', `"'\r=1"`],
  ['  =1', `'  =1`],
  ['\n', `"'\n"`],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['12_-1', '12_-1'],
  ['', ''],
])('writes %j as %j, so that a spreadsheet runs no formula', (text, written) => expect(cell(text)).toBe(written));

it('also puts an apostrophe before column names that could run as a formula', () =>
  expect(csvText(['=x', '@y'], [])).toBe("'=x,'@y\r\n"));
