// TLS for a PostgreSQL of tests: a certificate authority, and a TCP port of 127.0.0.1 with a password.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates an authority, and a certificate for `localhost`. Needs `openssl`. */
function makeCertificates(folder) {
  const at = (name) => join(folder, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=suite');
  openssl('req', ...key, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=localhost');
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost\n');
  const signed = [
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-extfile',
    at('names'),
    '-days',
    '2',
  ];
  openssl('x509', '-req', '-in', at('server.csr'), '-out', at('server.pem'), ...signed);
  return { caFile: at('ca.pem'), certFile: at('server.pem'), keyFile: at('server.key') };
}

/** Configures a cluster: from the next start, it listens on `port` of 127.0.0.1 with TLS and a password. */
export function encrypted({ data, folder, user }, port) {
  const { caFile, certFile, keyFile } = makeCertificates(folder);
  // Only the owner can read the key file, so the user that runs PostgreSQL must own it.
  if (user !== undefined) execFileSync('chown', [user, certFile, keyFile]);
  const settings = { listen_addresses: '127.0.0.1', port, ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
  const rules = join(data, 'pg_hba.conf');
  const local = readFileSync(rules, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('local'));
  writeFileSync(rules, [...local, 'hostssl all all 127.0.0.1/32 scram-sha-256', ''].join('\n'));
  return { port, caFile };
}
