import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DomainError } from '@headwater/core';
import { unlessMissing } from '@headwater/net/files';
import { z } from 'zod';

/** Name of the file that describes the GeoTIFFs of its folder. */
export const DEM_NOTICE = 'dem.json';

const NOTICE = z.object({
  title: z.string().trim().min(1),
  license: z.string().trim().min(1),
  attribution: z.string().trim().min(1),
  synthetic: z.boolean().default(false),
});

/** Title, license and credit of elevations. */
export type DemNotice = Readonly<z.infer<typeof NOTICE>>;

/** Reads the notice of a folder; undefined without `dem.json`. Throws `input_data` for an invalid file. */
export async function readNotice(folder: string): Promise<DemNotice | undefined> {
  const path = join(folder, DEM_NOTICE);
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  try {
    return NOTICE.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not JSON';
    const remedy = 'write title, license and attribution as texts';
    throw new DomainError('input_data', `${basename(folder)}/${DEM_NOTICE}: ${why}; ${remedy}.`, { cause: error });
  }
}

/** Notice for elevations whose source is not named. */
export const unnamed = (folder: string): DemNotice => ({
  title: `Elevation data of the folder ${basename(folder)}`,
  license: 'other',
  attribution: `Elevation data of the operator of this service, who has not named the source in ${DEM_NOTICE}`,
  synthetic: false,
});
