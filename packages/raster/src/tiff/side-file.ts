import { basename } from 'node:path';
import { nodataRange } from '../pixels/nodata.ts';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './header-bytes.ts';
import type { TiffLayout } from './layout.ts';
import { attributeOf, parseNodata } from './read-tags.ts';

/**
 * Throws `input_data` where the file next to a local one (`.aux.xml`, GDAL's PAM) gives a band (from 0) another scale, offset or nodata
 * value than its tags: GDAL would read other values. Such files of statistics alone are usual.
 */
export function checkSideFile(source: ByteSource, layout: TiffLayout, band: number): void {
  const text = source.sideText?.();
  if (text === undefined) return;
  const { scale, offset } = layout.scaling ?? { scale: 1, offset: 0 };
  const problems: string[] = [];
  for (const rest of text.split('<PAMRasterBand').slice(1)) {
    if (attributeOf(rest.slice(0, rest.indexOf('>')), 'band') !== String(band + 1)) continue;
    const said = statements(rest.slice(0, rest.indexOf('</PAMRasterBand')));
    if (said.scale !== undefined && !near(Number(said.scale), scale)) problems.push(`scale ${said.scale}`);
    if (said.offset !== undefined && !near(Number(said.offset), offset)) problems.push(`offset ${said.offset}`);
    if (said.nodata !== undefined && !meansTheSame(said.nodata, layout)) problems.push(`nodata ${said.nodata}`);
  }
  if (problems.length === 0) return;
  const name = `${basename(source.href)}.aux.xml`;
  throw badFile(
    source.href,
    `${name} next to it says ${problems.join(', ')}, which its own tags do not and which is not read from there; write it into the file with ` +
      `\`gdal_translate -of COG\`, or remove ${name} if it is wrong`,
  );
}

/** Texts of a band's elements; undefined without one, or in an empty one. */
function statements(xml: string): Readonly<Record<'scale' | 'offset' | 'nodata', string | undefined>> {
  const textOf = (name: string): string | undefined =>
    new RegExp(`<${name}(?:\\s[^<>]*)?>([^<>]*)</`).exec(xml)?.[1]?.trim() || undefined;
  return { scale: textOf('Scale'), offset: textOf('Offset'), nodata: textOf('NoDataValue') };
}

/** True for a nodata value that means the same samples as that of the tags; an internal mask decides without one. */
function meansTheSame(text: string, { nodata, mask, dtype }: TiffLayout): boolean {
  if (mask?.kind === 'internal mask') return true;
  const [said, tagged] = [nodataRange(parseNodata(text, dtype), dtype), nodataRange(nodata, dtype)];
  return near(said.least, tagged.least) && near(said.most, tagged.most);
}

/** GDAL writes 15 digits there. */
const near = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
