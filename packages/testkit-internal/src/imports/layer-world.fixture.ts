import type { Stores } from '@headwater/identity';
import { storedAddresses } from '@headwater/http-service';
import type { LayerImportDeps } from '@headwater/ingest';
import { realPixels } from '../http/fixture/real-pixels.ts';
import { SAMPLE_PLACE } from '../http/fixture/sample-place.ts';

/** Dependencies of a layer importer: stores with the sample tehsil, pixels and files. */
export interface LayerWorld {
  readonly deps: LayerImportDeps;
  readonly folder: string;
  readonly tehsilId: number;
}

/** Runs a function with a `LayerWorld` in a temporary folder. */
export async function inLayerWorld(stores: Stores, work: (world: LayerWorld) => Promise<void>): Promise<void> {
  const { compute, folder, remove } = await realPixels();
  try {
    const { tehsil } = await stores.places.saveBundle(SAMPLE_PLACE);
    const deps = { ...compute, stores, ownerId: 1, addresses: storedAddresses(), version: '0.1.0' };
    await work({ deps, folder, tehsilId: tehsil.id });
  } finally {
    await compute.pixels.close();
    await remove();
  }
}
