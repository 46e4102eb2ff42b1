import type { MapReply } from '@headwater/core/ports';
import type { Protocol } from '../parts.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { capabilities } from './capabilities.ts';
import { featureInfo } from './feature-info.ts';
import { getMap } from './get-map.ts';
import { legendGraphic } from './legend.ts';

const REQUESTS: ReadonlyMap<string, Protocol> = new Map([
  ['getcapabilities', capabilities],
  ['getmap', getMap],
  ['getfeatureinfo', featureInfo],
  ['getlegendgraphic', legendGraphic],
]);

/** WMS 1.1.1 and 1.3.0. */
export const wms: Protocol = async (parts, request): Promise<MapReply> => {
  const { service, request: name = '' } = request.query;
  if (service !== undefined && service.toUpperCase() !== 'WMS')
    throw ogcError(
      'InvalidParameterValue',
      'service',
      `service: ${JSON.stringify(service.slice(0, 40))} is not offered here; send WMS`,
    );
  if (name === '')
    throw ogcError(
      'MissingParameterValue',
      'request',
      'request: missing; send GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic',
    );
  const answer = REQUESTS.get(name.toLowerCase());
  if (answer === undefined)
    throw ogcError(
      'OperationNotSupported',
      'request',
      `request: ${JSON.stringify(name.slice(0, 40))} is not offered; send GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic`,
    );
  return await answer(parts, request);
};
