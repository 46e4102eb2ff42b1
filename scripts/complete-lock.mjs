// Adds packages of other platforms to the lock file, so that `npm ci` works on every platform.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
};
const PROCESSORS = {
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
};
const LIBRARIES = { gnu: 'glibc', musl: 'musl' };

let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    const words = name.split(/[/-]/);
    const os = words.map((word) => SYSTEMS[word]).find(Boolean);
    const cpu = words.map((word) => PROCESSORS[word]).find(Boolean);
    if (lock.packages[key] || !os || !cpu || !/^\d/.test(version)) continue;
    const libc = os === 'linux' ? words.map((word) => LIBRARIES[word]).find(Boolean) : undefined;
    lock.packages[key] = {
      version,
      cpu: [cpu],
      ...(parent.dev ? { dev: true } : {}),
      ...(libc ? { libc: [libc] } : {}),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform packages added to ${FILE}`);
