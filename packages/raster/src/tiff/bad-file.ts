import { DomainError, publicAddress } from '@headwater/core/errors';
import type { TiffLayout } from './layout.ts';

/** Creates an `input_data` error about one file. `problem`: the problem and the remedy. */
export function badFile(href: string, problem: string, cause?: unknown): DomainError {
  const name = publicAddress(href);
  return new DomainError('input_data', `${name}: ${problem}`, {
    details: { file: name },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Creates an `input_data` error about headers that cannot be parsed, or exceed a limit. */
export function unreadableHeaders(
  { href, size }: { readonly href: string; readonly size: number | null },
  why: string,
  cause?: unknown,
): DomainError {
  const sizeNote = size === null ? '' : ` (the file has ${size} bytes)`;
  return badFile(
    href,
    `its TIFF headers cannot be read, because ${why}; the file is damaged or truncated${sizeNote}; download it again`,
    cause,
  );
}

/** True for an http(s) address. */
export function isHttp(href: string): boolean {
  return /^https?:/i.test(href);
}

/**
 * Throws `input_data` for a file with an internal mask, an alpha band, or a scale and offset, because its samples are
 * not its values. `use` names the caller in the message.
 */
export function checkPlain({ href, mask, scaling }: Pick<TiffLayout, 'href' | 'mask' | 'scaling'>, use: string): void {
  if (mask !== null)
    throw badFile(
      href,
      `it has an ${mask.kind}, which ${use} do not support; set its pixels without data to a nodata value (\`gdalwarp -dstnodata N\`)`,
    );
  if (scaling !== null)
    throw badFile(
      href,
      `its tags mean value = sample x ${scaling.scale} + ${scaling.offset}, but ${use} need samples that are the values; write those ` +
        'with `gdal_translate -unscale` (or, if the tags are wrong, `-a_scale 1 -a_offset 0`)',
    );
}
