import type { Addresses } from '@headwater/core';
import type { CatalogStore, DatedLayer, EoExportStore, PlaceLookups } from '@headwater/core/ports';
import { createResponseCache, type PreparedReply } from '../../../caching/response-cache.ts';
import { prepared } from '../../../caching/prepared.ts';
import { type AssetPaths, layerRecords } from '../schemas/public-layers.ts';
import { activeBody } from '../schemas/public-places.ts';

/** Lists of public data as prepared responses. */
export interface PublicLists {
  layersOf(tehsilId: number): Promise<PreparedReply>;
  activeLocations(): Promise<PreparedReply>;
}

/** Sources of the lists. */
export interface ListSources {
  readonly catalog: Pick<CatalogStore, 'layersOf' | 'layersVersionOf'>;
  readonly lookups: Pick<PlaceLookups, 'activeLocations'>;
  readonly addresses: Addresses;
  readonly eoExports: Pick<EoExportStore, 'ofFiles' | 'list'>;
  /** False if the service exports no layers to a platform such as Earth Engine. */
  readonly hasExports: boolean;
}

/** Creates the lists. Each list is cached with the version of its data. */
export function createPublicLists(sources: ListSources): PublicLists {
  const { catalog, lookups, addresses } = sources;
  const layers = createResponseCache<number>();
  const places = createResponseCache<'active'>();
  return {
    layersOf: async (tehsilId) => {
      // The version is read before the records. After a publication between both reads, the next request finds a newer
      // version and builds the list again.
      const version = `${await catalog.layersVersionOf(tehsilId)} ${await exportsVersion(sources)}`;
      const make = async (): Promise<PreparedReply> => {
        const found = await catalog.layersOf(tehsilId);
        return prepared(JSON.stringify(layerRecords(found, addresses, await assetPathsOf(sources, found))));
      };
      return await layers.of(tehsilId, { version, make });
    },
    activeLocations: async () => {
      // Places have no version, so the text is the version.
      const text = JSON.stringify(activeBody(await lookups.activeLocations()));
      return await places.of('active', { version: text, make: () => prepared(text) });
    },
  };
}

async function exportsVersion({ eoExports, hasExports }: ListSources): Promise<string> {
  if (!hasExports) return '';
  return String((await eoExports.list({ state: 'done', limit: 0, offset: 0 })).total);
}

async function assetPathsOf(
  { eoExports, hasExports }: ListSources,
  layers: readonly DatedLayer[],
): Promise<AssetPaths> {
  const exported = hasExports ? await eoExports.ofFiles(layers.map(({ assetKey }) => assetKey)) : [];
  return new Map(
    exported.flatMap(({ state, assetKey, assetPath }) =>
      state === 'done' && assetPath !== null ? [[assetKey, assetPath] as const] : [],
    ),
  );
}
