import type { Box } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import type { DemNotice } from './dem-notice.ts';

/** A file of heights that a data set names. */
export interface DemTile {
  /** Absolute path of a local file, or http(s) address. */
  readonly href: string;
  /** Where its Item says that it lies; left out where the file alone tells it. */
  readonly bbox?: Box;
  /** What its Item says of its version. */
  readonly said: string;
  /** Folders that a local file must lie in; undefined: anywhere. */
  readonly within?: Within;
  /** True where a program made its heights. */
  readonly synthetic: boolean;
}

/** Tiles of one data set: an Item that is made of them can name one title, licence and credit only. */
export interface DemSet {
  readonly tiles: readonly DemTile[];
  /** What is said of all of them; asked for only where they are used. */
  readonly notice: () => Promise<DemNotice>;
}
