import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStore } from '@headwater/object-storage';
import type { OpenedStore } from '../asset-store.fixture.ts';
import { type BucketAssets, createBucketAssets } from './bucket-assets.ts';
import type { UploadRules } from './store-attempt.ts';
import { type BucketUploads, createBucketUploads } from './uploads.ts';

/** Store in a folder and a bucket, with its uploads. */
export interface TestBucketAssets extends OpenedStore {
  readonly assets: BucketAssets;
  readonly uploads: BucketUploads;
  readonly folder: string;
  /** Paths of all files in the folder, relative to the folder. */
  localFiles(): Promise<readonly string[]>;
}

const open: string[] = [];

/** Removes the folders of all stores. */
export function removeFolders(): void {
  for (const folder of open.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/**
 * Opens a store over a bucket. With the default `rules`, files are only in the bucket after `settle`. The `base` of an
 * earlier store simulates a restart.
 */
export function bucketAssets(
  objects: ObjectStore,
  base = mkdtempSync(join(tmpdir(), 'bucket-')),
  rules: Partial<UploadRules> = {},
): TestBucketAssets {
  open.push(base);
  const folder = join(base, 'assets');
  const assets = createBucketAssets({ folder, recordsFolder: join(base, 'objects'), objects });
  const uploads = createBucketUploads(assets, {
    isPublished: async () => true,
    cacheBytes: 0,
    // 7 hours ahead, because copies that were used in the last 6 hours are not removed.
    now: () => new Date(Date.now() + 7 * 3_600_000),
    ...rules,
  });
  const localFiles = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return {
    assets,
    uploads,
    folder,
    localFiles,
    settle: async () => {
      await uploads.run(new AbortController().signal);
    },
  };
}
