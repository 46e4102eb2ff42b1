import { badFile } from './bad-file.ts';
import type { TiffLayout } from './layout.ts';

/**
 * Throws `input_data` for a file whose samples alone are not its values, where `use` takes samples: one with an internal mask, an
 * alpha band or with GDAL's scale and offset.
 */
export function checkPlain({ href, mask, scaling }: Pick<TiffLayout, 'href' | 'mask' | 'scaling'>, use: string): void {
  if (mask !== null)
    throw badFile(
      href,
      `it has an ${mask.kind}, which ${use} do not use; give its pixels without data a value of their own (\`gdalwarp -dstnodata N\`)`,
    );
  if (scaling !== null)
    throw badFile(
      href,
      `its tags say value = sample x ${scaling.scale} + ${scaling.offset}, but ${use} need samples that are the values; write those ` +
        'with `gdal_translate -unscale` (or, if the tags are wrong, `-a_scale 1 -a_offset 0`)',
    );
}
