import type { PlaneType } from '@headwater/core/pixel-plan';

/** Sample type of a scratch raster, or of an output of a plan. */
export const typeOf = ({ type = 'uint8' }: { readonly type?: PlaneType }): PlaneType => type;
