import type { ComputeParts } from '@headwater/http-service';
import { storedAddresses } from '@headwater/http-service';
import type { LayerTools } from '@headwater/ingest';
import { readVersion } from './read-version.ts';

/** What publishes imported layers beside those of runs, for the service and for the command. */
export async function layerTools({ pixels, assets }: Pick<ComputeParts, 'pixels' | 'assets'>): Promise<LayerTools> {
  return { pixels, assets, addresses: storedAddresses(), version: await readVersion() };
}
