import { basename } from 'node:path';
import { nodataRange } from '../pixels/nodata.ts';
import { badFile } from './bad-file.ts';
import type { ByteSource } from './header-bytes.ts';
import type { TiffLayout } from './layout.ts';
import { attributeOf, parseNodata } from './read-tags.ts';

/**
 * Throws `input_data` if the `.aux.xml` (GDAL's PAM) of a local file changes scale, offset or nodata value of `band`.
 * GDAL would then return other values than our reader.
 */
export function checkSideFile(source: ByteSource, layout: TiffLayout, band: number): void {
  const text = source.sideText?.();
  if (text === undefined) return;
  const { scale, offset } = layout.scaling ?? { scale: 1, offset: 0 };
  const problems: string[] = [];
  for (const rest of text.split('<PAMRasterBand').slice(1)) {
    if (attributeOf(rest.slice(0, rest.indexOf('>')), 'band') !== String(band + 1)) continue;
    const pam = elementTexts(rest.slice(0, rest.indexOf('</PAMRasterBand')));
    if (pam.scale !== undefined && !near(Number(pam.scale), scale)) problems.push(`scale ${pam.scale}`);
    if (pam.offset !== undefined && !near(Number(pam.offset), offset)) problems.push(`offset ${pam.offset}`);
    if (pam.nodata !== undefined && !isSameNodata(pam.nodata, layout)) problems.push(`nodata ${pam.nodata}`);
  }
  if (problems.length === 0) return;
  const name = `${basename(source.href)}.aux.xml`;
  throw badFile(
    source.href,
    `${name} next to it has ${problems.join(', ')}, which differs from the file's own tags and is not used; include it in the file with ` +
      `\`gdal_translate -of COG\`, or remove ${name} if it is wrong`,
  );
}

function elementTexts(xml: string): Readonly<Record<'scale' | 'offset' | 'nodata', string | undefined>> {
  const textOf = (name: string): string | undefined =>
    new RegExp(`<${name}(?:\\s[^<>]*)?>([^<>]*)</`).exec(xml)?.[1]?.trim() || undefined;
  return { scale: textOf('Scale'), offset: textOf('Offset'), nodata: textOf('NoDataValue') };
}

/**
 * True if a text means the nodata value of the file. Always true for a file with an internal mask, because nodata
 * values have no effect there.
 */
function isSameNodata(text: string, { nodata, mask, dtype }: TiffLayout): boolean {
  if (mask?.kind === 'internal mask') return true;
  const [own, tagged] = [nodataRange(parseNodata(text, dtype), dtype), nodataRange(nodata, dtype)];
  return near(own.least, tagged.least) && near(own.most, tagged.most);
}

const near = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
