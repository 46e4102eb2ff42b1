import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createNodeAnswer, type Service } from '@headwater/http-service';
import express, { type RequestHandler, type Router } from 'express';

type Exchange = Parameters<RequestHandler>;

/**
 * Creates an Express router for the service, to mount with `app.use`. Requests for paths that are not the service's are
 * passed on to the host. Sets `req.route.path` and `res.locals.operationId` for logs and metrics of the host.
 */
export function createExpressRouter(service: Service): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // One handler for all paths, because Express would try separate routes one by one.
  router.use((...exchange: Exchange): void => {
    const [req, res, next] = exchange;
    const { method, url } = req;
    if (!service.owns(url)) {
      next();
      return;
    }
    const operation = service.operation(method, url);
    req.route = operation && { path: operation.path };
    if (operation !== undefined) res.locals['operationId'] = operation.id;
    const { ip: remoteAddress, ips } = req;
    const parsedBody: unknown = req.body;
    const trustedHops = ips.length;
    answer(service, { message: req, response: res, url, remoteAddress, trustedHops, parsedBody }, exchange);
  });
  return router;
}

const answer = createNodeAnswer<Exchange>({
  send: ([, res], { status, headers, body }) => {
    res.statusCode = status;
    for (const name in headers) res.setHeader(name, headers[name] ?? '');
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
    else res.end(body);
  },
  fail: ([, , next], error) => next(error),
});
