import type { InputPorts, Scene } from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import { LULC_METHOD_VERSION } from '../method/thresholds.ts';
import type { LulcRunParams } from '../request/request.ts';
import { loadJob, type LulcJob } from './scenes.ts';
import { findScenes, type SearchTools } from './scenes.ts';
import type { YearScenes } from './year-scenes.ts';

/** Hash (`inputsOf`) of the inputs that a run would read now. Throws the errors of the search for scenes. */
export async function presentInputs(
  params: LulcRunParams,
  tools: Omit<SearchTools, 'ports'> & { readonly ports: InputPorts },
): Promise<string> {
  const job = await loadJob(params, tools.ports);
  return inputsOf(job, await findScenes(job, tools));
}

/** Hash (64 hex digits) of the method, the polygons and uids of the place, and the scenes of each year. */
export async function inputsOf({ clip, mws }: LulcJob, years: readonly YearScenes[]): Promise<string> {
  const uids = mws.map(({ uid }) => uid);
  const scenes = years.map((year) => [year.year, year.scenes.map(sceneText).sort()]);
  return sha256(JSON.stringify([LULC_METHOD_VERSION, clip, uids, scenes]));
}

/** Text of a scene for the hash. Addresses are cut at '?', because the signature after '?' differs in each search. */
function sceneText({ id, datetime, bands }: Scene): string {
  const read = Object.entries(bands).map(([name, { href, source = href, offset, scale, nodata }]) => {
    return [name, source.replace(/[?#].*$/, ''), offset, scale, nodata];
  });
  return JSON.stringify([id, datetime, read.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}
