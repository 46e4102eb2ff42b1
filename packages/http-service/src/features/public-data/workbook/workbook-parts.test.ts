import { expect, it } from 'vitest';
import { partsAfter, rowText } from './workbook-parts.ts';

const textOf = (cell: string): string => rowText(1, [cell]).replace(/^.*preserve">|<\/t>.*$/g, '');

it.each([
  // The carriage return is escaped, because an XML parser would convert it to a line feed.
  ['a\r\nb', 'a_x000D_\nb'],
  ['_x000D_', '_x005F_x000D_'],
  ['a_x0041_x0042_', 'a_x005F_x0041_x005F_x0042_'],
  ['_x41_ and _xyzzy_', '_x41_ and _xyzzy_'],
  ['plain_text & more', 'plain_text &amp; more'],
])('writes %j as spreadsheets escape it', (text, written) => expect(textOf(text)).toBe(written));

it('escapes sheet names in the same way', () => {
  expect(partsAfter(['a_x0041_'])[0]?.[1]).toContain('name="a_x005F_x0041_"');
});
