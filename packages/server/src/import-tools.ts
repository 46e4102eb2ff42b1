import type { PixelEngine } from '@headwater/core';
import { storedAddresses } from '@headwater/http-service';
import { createDirectoryAssets, type LayerTools } from '@headwater/ingest';
import { readVersion } from './read-version.ts';
import { assetsFolder } from './several-servers.ts';

/** What publishes imported layers beside those of runs, for the service and for the command. */
export async function layerTools(dataDir: string, pixels: PixelEngine): Promise<LayerTools> {
  const assets = createDirectoryAssets(assetsFolder(dataDir));
  return { pixels, assets, addresses: storedAddresses(), version: await readVersion() };
}
