// Preloaded into a server under test (`--import`): resolves every host name to this machine.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';

type Callback = (error: null, address: string | LookupAddress[], family?: number) => void;

const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function lookup(_name: string, options: LookupOptions, callback: Callback): void {
  process.nextTick(() => (options.all === true ? callback(null, [...HERE]) : callback(null, '127.0.0.1', 4)));
}

Object.assign(dns, { lookup });
