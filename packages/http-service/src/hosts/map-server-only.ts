import type { Service, ServiceResponse } from '../seam/request.ts';
import { splitUrl } from '../service/request-line.ts';
import { isMapServerPath, ownMapServer } from '../wire/paths.ts';

/** The service with only the paths of the map server, for a port of its own. */
export function mapServerOnly(service: Service, baseUrl: string): Service {
  const isOfMaps = (url: string): boolean => isMapServerPath(splitUrl(url).path);
  const absent: ServiceResponse = {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: `Only the map server, at ${ownMapServer('')}, is on this port; the service is at ${baseUrl}/.\n`,
  };
  return {
    ...service,
    paths: service.paths.filter(isMapServerPath),
    owns: (url) => isOfMaps(url) && service.owns(url),
    execute: async (request) => (isOfMaps(request.url) ? await service.execute(request) : absent),
  };
}
