import { fieldError } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { layerPipeline, type LayerSpec, placeExamples } from '@headwater/layer-kit';
import { lulcParams, type LulcParams, lulcRequest, type LulcRequest } from '../../request/request.ts';
import { resolveLulc } from '../../request/resolve.ts';
import { LAND_COVER, landCoverNeeds, NO_OTHER_INPUTS } from './needs.ts';

type Spec = LayerSpec<LulcRequest, LulcParams>;

/** A layer derived from the land cover of several years. */
type YearsLayer = Omit<Spec, 'request' | 'params' | 'resolve' | 'examples'> & {
  /** Smallest number of years. Default: 1. */
  readonly minYears?: number;
};

/** Creates the pipeline of a layer over several years; by default it needs the land-cover raster of each year. */
export const yearsPipeline = ({ minYears = 1, ...layer }: YearsLayer) =>
  layerPipeline<LulcRequest, LulcParams>({
    needs: landCoverNeeds,
    dependsOn: [LAND_COVER],
    otherInputs: async () => NO_OTHER_INPUTS,
    data: [],
    ...layer,
    request: lulcRequest,
    params: lulcParams,
    resolve: async (request, ports) => {
      checkCount(request, minYears);
      return resolveLulc(request, ports);
    },
    examples: placeExamples({ startYear: 2021, endYear: 2021 + minYears - 1 }),
  });

function checkCount({ startYear, endYear }: LulcRequest, minYears: number): void {
  const count = endYear - startYear + 1;
  if (count < 1 || count >= minYears) return;
  const message = `${startYear} to ${endYear} has ${countOf(count, 'year')}; this layer compares years and needs at least ${minYears}`;
  throw fieldError('validation', { endYear: [{ rule: 'invalid', message, mentions: ['startYear'] }] });
}
