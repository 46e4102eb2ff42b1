import { countOf } from '@headwater/core/values';
import { fieldError } from '@headwater/core';
import { lulcParams, type LulcParams, lulcRequest, type LulcRequest } from '../../request/request.ts';
import { resolveLulc } from '../../request/resolve.ts';
import { derivedPipeline, type DerivedLayer } from './derived-pipeline.ts';
import { EXAMPLE_PLACE } from './example-place.ts';
import { LAND_COVER, landCoverNeeds } from './needs.ts';

/** A layer that follows from the land cover of years. */
type YearsLayer = Pick<
  DerivedLayer<LulcRequest, LulcParams>,
  'route' | 'initiated' | 'summary' | 'keywords' | 'method' | 'make' | 'data'
> &
  Partial<Pick<DerivedLayer<LulcRequest, LulcParams>, 'needs' | 'dependsOn' | 'otherInputs'>> & {
    /** Years that it needs at least; default 1. */
    readonly minYears?: number;
  };

/** Pipeline of such a layer; unless it says what it needs, that is the land-cover raster of each year. */
export const yearsPipeline = ({ minYears = 1, ...layer }: YearsLayer) =>
  derivedPipeline<LulcRequest, LulcParams>({
    needs: landCoverNeeds,
    dependsOn: [LAND_COVER],
    ...layer,
    request: lulcRequest,
    params: lulcParams,
    resolve: async (request, ports) => {
      checkCount(request, minYears);
      return resolveLulc(request, ports);
    },
    examples: [
      { name: 'start', request: exampleRequest(minYears) },
      { name: 'wait', request: exampleRequest(minYears) },
    ],
  });

const exampleRequest = (years: number): LulcRequest => ({
  ...EXAMPLE_PLACE,
  startYear: 2021,
  endYear: 2021 + years - 1,
});

function checkCount({ startYear, endYear }: LulcRequest, minYears: number): void {
  const count = endYear - startYear + 1;
  if (count < 1 || count >= minYears) return;
  const message = `${startYear} to ${endYear} has ${countOf(count, 'year')}; this layer compares years and needs ${minYears} at least`;
  throw fieldError('validation', { endYear: [{ rule: 'invalid', message, mentions: ['startYear'] }] });
}
