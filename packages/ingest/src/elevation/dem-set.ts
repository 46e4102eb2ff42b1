import type { Box } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import type { DemNotice } from './dem-notice.ts';

/** A file of heights in a data set. */
export interface DemTile {
  /** Absolute path of a local file, or http(s) address. */
  readonly href: string;
  /** Bounding box from its Item; absent if only the file has it. */
  readonly bbox?: Box;
  /** Version from its Item, '' for none. */
  readonly itemVersion: string;
  /** Folders that a local file must be in; undefined: anywhere. */
  readonly within?: Within;
  /** True if the heights are synthetic. */
  readonly synthetic: boolean;
}

/** Tiles of one data set: an Item made from them can have only one title, license and credit. */
export interface DemSet {
  readonly tiles: readonly DemTile[];
  /** Returns the notice of the data set; called only if its tiles are used. */
  readonly notice: () => Promise<DemNotice>;
}
