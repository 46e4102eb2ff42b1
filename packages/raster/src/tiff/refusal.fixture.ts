import { isDomainError } from '@headwater/core/errors';
import fc from 'fast-check';
import { openRaster } from './open-raster.ts';

/**
 * Returns the reason why a file cannot be read, or undefined. Rethrows errors other than `input_data`, because they are
 * faults of this package.
 */
export async function refusalOf(path: string): Promise<string | undefined> {
  try {
    const file = await openRaster(path);
    try {
      await file.readWindow({ col: 5, row: 5, cols: 40, rows: 40 }, new Float64Array(1600));
    } finally {
      file.close();
    }
    return undefined;
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'input_data') throw error;
    return error.message;
  }
}

/**
 * Makes copies of a TIFF with changed bytes. Half of the copies have changes only in the first `headers` bytes. Some
 * copies are cut off.
 */
export function damaged(tiff: Uint8Array, headers: number): fc.Arbitrary<Uint8Array> {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const changes = fc.array(fc.record({ at: share, byte: fc.nat(255) }), { minLength: 1, maxLength: 12 });
  const damage = fc.record({ changes, inHeaders: fc.boolean(), cut: fc.option(share) });
  return damage.map(({ changes: list, inHeaders, cut }) => {
    const copy = Uint8Array.from(tiff);
    const reach = inHeaders ? Math.min(headers, copy.length) : copy.length;
    // The first four bytes mark a TIFF, so they are not changed.
    for (const { at, byte } of list) copy[4 + Math.floor(at * (reach - 4))] = byte;
    return cut === null ? copy : copy.subarray(0, Math.ceil(cut * copy.length));
  });
}
