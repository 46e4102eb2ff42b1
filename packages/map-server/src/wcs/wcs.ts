import { ogcError } from '../protocol/ogc-error.ts';
import type { Protocol } from '../parts.ts';
import { capabilities } from './capabilities.ts';
import { describeCoverage } from './describe-coverage.ts';
import { getCoverage } from './get-coverage.ts';

const REQUESTS: ReadonlyMap<string, Protocol> = new Map([
  ['getcapabilities', capabilities],
  ['describecoverage', describeCoverage],
  ['getcoverage', getCoverage],
]);
const NAMES = 'GetCapabilities, DescribeCoverage or GetCoverage';

/** WCS 1.0.0 and 2.0.1. */
export const wcs: Protocol = async (parts, request) => {
  const { service, request: name = '' } = request.query;
  const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));
  if (service !== undefined && service.toUpperCase() !== 'WCS')
    throw ogcError('InvalidParameterValue', 'service', `service: ${quoted(service)} is not offered here; send WCS`);
  if (name === '') throw ogcError('MissingParameterValue', 'request', `request: missing; send ${NAMES}`);
  const answer = REQUESTS.get(name.toLowerCase());
  if (answer === undefined)
    throw ogcError('OperationNotSupported', 'request', `request: ${quoted(name)} is not offered; send ${NAMES}`);
  if (parts.pixels === undefined)
    throw ogcError(
      'OperationNotSupported',
      'service',
      'service: this server has no WCS, because it has no pixel engine; download the file from the STAC Item of the layer',
    );
  return await answer(parts, request);
};
