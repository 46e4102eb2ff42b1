import type { CoveredTerrain } from '../../zones/land-cover-by-terrain.ts';
import type { TerrainAbout } from '../dem/elevation-about.ts';
import type { TerrainLulcParams } from './request.ts';

/** Such a layer as it describes itself. */
export function terrainLulcWords(
  terrain: CoveredTerrain,
  { startYear, endYear }: Pick<TerrainLulcParams, 'startYear' | 'endYear'>,
): TerrainAbout {
  const landform = terrain === 'slope' ? 'open slopes (landform 6)' : 'plains (landform 5)';
  return {
    layer: `terrain_lulc_${terrain}_vector`,
    title: `Land cover on ${terrain}s`,
    description:
      `Land cover on the ${landform} of each micro-watershed (\`uid\`), the most frequent class of hydrological years ${startYear} to ${endYear}, in percent of the area of its plains and open slopes together. ` +
      'A pixel of land cover (about 10 m) takes the landform (about 30 m) in which its centre lies. ' +
      '`cluster_name` is what covers most of it: one kind with half of the named shares or more, else the two largest. The live system names clusters fitted for each agro-ecological region, which this service does not know.',
    lineage: 'Areas of land-cover classes by landform, edge pixels weighted by covered fraction',
    keywords: ['land cover', 'landforms', 'micro-watersheds'],
    years: [startYear, endYear],
  };
}
