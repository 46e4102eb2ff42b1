import type { Mws, TableCell } from '@headwater/core';
import { z } from 'zod';
import { KylRecord } from './kyl-record.ts';

const { terraincluster_id: cluster, ...others } = KylRecord.shape;
const Downloaded = z.object({ ...others, terrainCluster_ID: cluster });

/** Indicators of every micro-watershed of a tehsil. Existing clients expect the spelling `terrainCluster_ID` here. */
export const KylDownload = z.array(Downloaded).meta({ id: 'KylDownload' });

/** The records of `KylDownload` as GeoJSON features. */
export const KylFeatures = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({ type: z.literal('Feature'), geometry: z.looseObject({ type: z.string() }), properties: Downloaded }),
    ),
  })
  .meta({ id: 'KylFeatures' });

/** Members of a record in an HTTP response. */
export type KylMembers = Readonly<Record<string, unknown>>;

/** Converts a record to the member names of downloads. */
export function downloadedRecord({ mws_id: id, terraincluster_id: terrain, ...rest }: KylMembers): KylMembers {
  return { mws_id: id, terrainCluster_ID: terrain, ...rest };
}

/** Records as GeoJSON features. Micro-watersheds without an outline are left out. */
export function kylFeatures(records: readonly KylMembers[], mws: readonly Mws[]): KylMembers {
  const outlines = new Map(mws.map(({ uid, geometry }) => [uid, geometry]));
  const features = records.flatMap((properties) => {
    const geometry = outlines.get(String(properties['mws_id']));
    return geometry === undefined ? [] : [{ type: 'Feature', geometry, properties }];
  });
  return { type: 'FeatureCollection', features };
}

/** Values of a record as cells of a sheet; lists become JSON. */
export function kylCells(record: KylMembers, names: readonly string[]): readonly TableCell[] {
  return names.map((name) => {
    const value = record[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    return value === undefined || value === null ? null : JSON.stringify(value);
  });
}
