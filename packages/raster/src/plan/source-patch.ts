import type { PixelSize } from '../pixels/pixel-window.ts';
import { badFile } from '../tiff/bad-file.ts';

/** Pixels of a file that may be held for a window of the grid whatever its size, and for each of the window's pixels. */
const [MOST, MOST_EACH] = [2 ** 24, 16];

/** Throws `input_data` for a file of which a window of the grid would take more pixels than fit into the memory. */
export function checkPatch(native: PixelSize, window: PixelSize, href: string): void {
  if (native.cols * native.rows <= Math.max(MOST, MOST_EACH * window.cols * window.rows)) return;
  throw badFile(
    href,
    `its pixels are too small: ${native.cols} x ${native.rows} of them lie under ${window.cols} x ${window.rows} pixels ` +
      'of the map; rewrite it with pixels of the size of the map (`gdalwarp -tr`)',
  );
}
