import { startHost } from './server.ts';

const PORT = 3000;
// A key of its own for each start signs everybody out at the next one; a real host keeps it.
const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');

await startHost({ port: PORT, publicUrl: `http://localhost:${PORT}`, secret });
console.log(`the host's own route: http://localhost:${PORT}/hello, Headwater: http://localhost:${PORT}/geo/`);
