import type { MapReply, MapRequest, MapServer, MapServerParts } from '@headwater/core/ports';
import { createFeatureTables, type FeatureTables } from './features/feature-table.ts';
import { ogcError } from './protocol/ogc-error.ts';

/** Parts of the embedded map server that its protocols use. */
export interface EmbeddedParts extends MapServerParts {
  readonly tables: FeatureTables;
}

/** A protocol: answers the requests of its service. */
export type Protocol = (parts: EmbeddedParts, request: MapRequest) => Promise<MapReply>;

/** Protocols by the last segment of the path, or, at `ows`, by the parameter `service`. */
const SERVICES: Readonly<Record<string, Protocol | undefined>> = {};

/** Protocols with paths of their own, by the first segments of the path. */
const PATHS: Readonly<Record<string, Protocol | undefined>> = {};

/** Creates the map server that reads what the service has published; it stores nothing. */
export function createEmbeddedMapServer(parts: MapServerParts): MapServer {
  const own: EmbeddedParts = { ...parts, tables: createFeatureTables(parts) };
  return {
    kind: 'embedded',
    capabilities: { wfs: [], wcs: [], wms: [], features: false, tiles: false, cqlFilter: true, styles: ['sld', 'qml'] },
    answer: async (request) => await protocolOf(request)(own, request),
    // What is published is served at once, because every request reads the catalogue.
    publish: async () => {},
    unpublish: async () => {},
    async *check() {},
    probe: async () => 'embedded',
    close: async () => await parts.pixels?.close(),
  };
}

function protocolOf({ segments, query }: MapRequest): Protocol {
  const path = PATHS[segments.slice(0, 3).join('/')] ?? PATHS[segments[0] ?? ''];
  if (path !== undefined) return path;
  const last = segments.at(-1) ?? '';
  const service = last === 'ows' ? (query['service'] ?? '').toLowerCase() : last;
  const protocol = SERVICES[service];
  if (protocol === undefined)
    throw ogcError('InvalidParameterValue', 'service', `service: "${service}" is not offered; send WFS, WCS or WMS`);
  return protocol;
}
