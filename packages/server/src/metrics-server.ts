import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Metrics, metricsReader } from '@headwater/http-service';
import { type Config, ConfigError } from './config/read-config.ts';

type Address = Pick<Config, 'host' | 'metricsPort' | 'metricsToken'>;

/**
 * Serves the metrics of a worker, which has no HTTP service, at `/metrics` on METRICS_PORT. Returns a function that
 * stops the server. Throws `ConfigError` for an unusable port.
 */
export async function serveMetrics(
  { host, metricsPort: port, metricsToken }: Address,
  metrics: Pick<Metrics, 'text' | 'type'>,
): Promise<() => Promise<void>> {
  const mayRead = metricsReader(metricsToken);
  const server = createServer(({ method = '', url = '', headers, socket }, response) => {
    const { remoteAddress } = socket;
    const end = (status: number, text: string, type = 'text/plain'): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(method === 'HEAD' ? undefined : text);
    };
    if (url.split('?', 1)[0] !== '/metrics') return end(404, 'Not found: the metrics are at /metrics.\n');
    if (method !== 'GET' && method !== 'HEAD') return end(405, 'Send GET.\n');
    if (!mayRead({ headers, method, remoteAddress })) {
      response.setHeader('www-authenticate', 'Bearer realm="metrics"');
      return end(401, 'Send METRICS_TOKEN as Authorization: Bearer.\n');
    }
    metrics.text().then(
      (text) => end(200, text, metrics.type),
      () => end(500, 'The metrics cannot be read; request them again.\n'),
    );
  });
  // The timeout is short, because a client that sends nothing must not occupy a connection.
  server.headersTimeout = 5000;
  server.maxConnections = 50;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError(
      `METRICS_PORT: ${port} cannot be used (${error instanceof Error ? error.message : String(error)}). Set it to a free port, or to 0 for none.`,
    );
  }
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
