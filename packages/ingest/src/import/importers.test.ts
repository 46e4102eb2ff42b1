import type { ImportRequest } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { expect, it } from 'vitest';
import { NO_USERS } from './boundaries/import-files.fixture.ts';
import { createImporters } from './importers.ts';

const stores = { ...createMemoryDomainStores(), users: NO_USERS };

const request = (rest: Partial<ImportRequest> = {}): ImportRequest => ({
  path: '/nowhere/bland_cland.xlsx',
  fileName: 'bland_cland.xlsx',
  signal: new AbortController().signal,
  ...rest,
});

const importerOf = (kind: string) => {
  const found = createImporters({ stores, scratchDir: '/nowhere' }).find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no importer of ${kind}`);
  return found;
};

it('lists no importer of layers if no tools that publish files are passed', () => {
  const kinds = createImporters({ stores, scratchDir: '/nowhere' }).map(({ kind }) => kind);
  expect(kinds).toEqual(['places', 'mws', 'villages', 'workbook', 'series']);
});

it.each(['workbook', 'series'])(
  '%s: refuses to publish if the request names no account and there is no superuser',
  async (kind) => {
    await expect(importerOf(kind).run(request())).rejects.toThrow('there is none yet; create one first');
    // With an account, this check passes, and the next check refuses the file name.
    await expect(importerOf(kind).run(request({ ownerId: 1 }))).rejects.toThrow('names no known tehsil');
  },
);

it.each(['places', 'mws', 'villages', 'workbook', 'series'])(
  '%s: refuses options instead of ignoring them',
  async (kind) => {
    await expect(importerOf(kind).run(request({ options: {} }))).rejects.toThrow(`of the kind ${kind} has no options`);
  },
);
