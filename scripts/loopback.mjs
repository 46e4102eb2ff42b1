// Listeners of the tests on this machine, which count what reaches them.
import { createServer } from 'node:http';

export async function listenOnLoopback(answer, host = '127.0.0.1', port = 0) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  });
  await new Promise((done, fail) => server.once('error', fail).listen(port, host, done));
  const { port: given } = server.address();
  return {
    port: given,
    origin: `http://${host}:${given}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
