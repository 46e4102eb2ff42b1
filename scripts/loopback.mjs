// A test server on this machine that records its requests.
import { createServer } from 'node:http';

export async function listenOnLoopback(answer, host = '127.0.0.1', port = 0) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  });
  await new Promise((done, fail) => server.once('error', fail).listen(port, host, done));
  const { port: actualPort } = server.address();
  return {
    port: actualPort,
    origin: `http://${host}:${actualPort}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
