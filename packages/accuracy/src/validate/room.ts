import type { TableLimit } from '@headwater/core/ports';

/** What the names of tables of accuracy begin with. */
export const TABLE_NAMES = 'accuracy_';

/** Tables of accuracy that the Item of one version of a layer may name. */
export const ROOM: TableLimit = {
  names: TABLE_NAMES,
  most: 100,
  remedy:
    'Put your labels into one request, or compute the layer anew (overwrite=true): its next version begins with none.',
};
