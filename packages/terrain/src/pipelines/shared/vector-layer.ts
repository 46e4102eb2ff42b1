import type { PublishedTable } from '@headwater/core';
import { type FeatureRow, publishVectorLayer, stepsLegend, type VectorLayerDraft } from '@headwater/layer-kit';
import type { DemRun, Published } from './dem-run.ts';
import { type ItemTools, terrainMembers, type TerrainItem } from './item-members.ts';

/** Attributes of a feature. */
export type Attributes = Readonly<Record<string, string | number | null>>;

/** A vector layer to be published, whose features have properties `Row`, and what follows from the same figures. */
export interface VectorDraft<Row extends FeatureRow = FeatureRow> extends Omit<
  VectorLayerDraft<Row>,
  'members' | 'shown' | 'colors'
> {
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: TerrainItem;
  /** What the preview shows, in words. */
  readonly preview: string;
  /** Sheets that the Item tells of. */
  readonly tables: readonly Omit<PublishedTable, 'tehsilId' | 'itemId'>[];
}

/** What publishing a layer of a run uses. */
export type LayerTools = ItemTools & Pick<DemRun, 'ports' | 'files'>;

/** Publishes it (`publishVectorLayer`) with its sheets. */
export async function publishVector<Row extends FeatureRow>(
  { item, preview, tables, ...draft }: VectorDraft<Row>,
  tools: LayerTools,
): Promise<Published> {
  const shown = { legend: stepsLegend(draft.style), description: preview };
  const made = await publishVectorLayer({ ...draft, members: terrainMembers(item, tools), shown }, tools);
  const of = { tehsilId: made.layer.tehsilId, itemId: made.item.id };
  return { items: [made.item], layers: [made.layer], tables: tables.map((table) => ({ ...table, ...of })) };
}
