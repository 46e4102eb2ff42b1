import type { SceneEngines } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createEoAccess } from './eo-access.ts';

it('scene engines make accounts usable without an exporter; problemOf of accountsOf asks the platform, the other problemOf does not', async () => {
  const stores = createMemoryStores();
  const facts = { name: 'project', accountEmail: null, isVisible: true } as const;
  const account = await stores.eoAccounts.create({ ...facts, platform: 'earth_engine' });
  const credentials = { email: async () => undefined, test: async () => [], problemOf: async () => undefined };
  const sceneEngines: SceneEngines = {
    platform: 'earth_engine',
    open: async () => undefined,
    problemOf: async ({ id }) => `is denied as ${id}`,
  };
  const parts = { stores, clock: { now: () => new Date() }, credentials, canExport: false };
  const without = createEoAccess(parts);
  expect(await without.problemOf(account)).toMatch(/belongs to the platform earth_engine/);
  expect(await without.accountsOf({ id: 1 }).problemOf?.(account)).toMatch(/belongs to the platform earth_engine/);
  const withScenes = createEoAccess({ ...parts, sceneEngines });
  expect(await withScenes.problemOf(account)).toBeUndefined();
  expect(await withScenes.accountsOf({ id: 1 }).problemOf?.(account)).toBe(`is denied as ${account.id}`);
});
