import { DomainError, type ItemSearch } from '@headwater/core';
import type { Sql } from '../database.ts';

/** Searches over PostgreSQL. */
export function itemSearch(_sql: Sql): ItemSearch {
  const missing = async (): Promise<never> => {
    throw new DomainError('unavailable', 'this store has no search yet');
  };
  return { search: missing, item: missing, collections: missing, pathOf: missing, write: missing };
}
