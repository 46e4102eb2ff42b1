import type { Box } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import type { DemNotice } from './dem-notice.ts';

/** A file of elevations in a data set. */
export interface DemTile {
  /** Absolute path of a local file, or http(s) address. */
  readonly href: string;
  /** Bounding box from the Item of the file; absent if there is no Item. */
  readonly bbox?: Box;
  /** Version from the Item of the file, '' for none. */
  readonly itemVersion: string;
  /** A local file must be in one of these folders; undefined: in any folder. */
  readonly within?: Within;
  /** True if the elevations are synthetic. */
  readonly synthetic: boolean;
}

/** Tiles of one data set. All of them have the same notice, because an Item made from them has only one title, license and credit. */
export interface DemSet {
  readonly tiles: readonly DemTile[];
  /** Returns the notice of the data set; called only if tiles of it are used. */
  readonly notice: () => Promise<DemNotice>;
}
