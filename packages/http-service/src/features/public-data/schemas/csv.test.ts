import { expect, it } from 'vitest';
import { csvText } from './csv.ts';

const cell = (value: Parameters<typeof csvText>[0][0]): string =>
  csvText([], [[value]])
    .slice(2)
    .replace(/\r\n$/, '');

it('is lines of fields, quoted where they have to be', () => {
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
])('never lets a spreadsheet run the text %j', (text, told) => expect(cell(text)).toBe(told));

it('guards the names of columns too', () => expect(csvText(['=x', '@y'], [])).toBe("'=x,'@y\r\n"));
