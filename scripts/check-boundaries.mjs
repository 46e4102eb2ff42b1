import { resolve } from 'node:path';
import { findFaults } from './boundaries.mjs';

const { faults, files } = findFaults(resolve(import.meta.dirname, '..'));
for (const fault of faults) console.error(fault);
console.log(`${files} files, ${faults.length} forbidden imports`);
process.exit(faults.length === 0 && files > 0 ? 0 : 1);
