import { DomainError, isObject } from '@headwater/core';

/** Tables of accuracy that the Item of one version of a layer may name: whoever opens the Item reads the addresses of all. */
export const MOST_TABLES = 100;

/** Throws `conflict` where an Item names as many tables of accuracy as it may and `table` is none of them. */
export function checkRoom(item: Readonly<Record<string, unknown>> | undefined, table: string): void {
  const assets = isObject(item?.['assets']) ? Object.keys(item['assets']) : [];
  const tables = assets.filter((key) => key.startsWith('table_accuracy_') && !key.endsWith('_csv'));
  if (tables.length < MOST_TABLES || assets.includes(`table_${table.replaceAll('.', '_')}`)) return;
  throw new DomainError(
    'conflict',
    `This version of the layer has ${tables.length} tables of accuracy already, and its Item names no more. ` +
      'Put your labels into one request, or compute the layer anew (overwrite=true): its next version begins with none.',
  );
}
