import type { MapReply, MapRequest, MapServerParts } from '@headwater/core/ports';
import type { FeatureTables } from './features/feature-table.ts';
import type { Turns } from './protocol/turns.ts';
import type { LayerStyles } from './styles/layer-styles.ts';

/** Dependencies of the protocols of the embedded map server. */
export interface EmbeddedParts extends MapServerParts {
  readonly tables: FeatureTables;
  readonly styles: LayerStyles;
  readonly turns: Turns;
}

/** A protocol: answers the requests of one service. */
export type Protocol = (parts: EmbeddedParts, request: MapRequest) => Promise<MapReply>;
