// Preloaded into a server under test (`--import`): every host name leads to this machine, and no resolver is asked.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';

type Told = (error: null, address: string | LookupAddress[], family?: number) => void;

const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function lookup(_name: string, options: LookupOptions, told: Told): void {
  process.nextTick(() => (options.all === true ? told(null, [...HERE]) : told(null, '127.0.0.1', 4)));
}

Object.assign(dns, { lookup });
