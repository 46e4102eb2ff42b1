import { resolve } from 'node:path';
import { findFaults } from './find-faults.mjs';

const { faults, files } = findFaults(resolve(import.meta.dirname, '../..'));
for (const fault of faults) console.error(fault);
console.log(`${files} files, ${faults.length} faults`);
process.exit(faults.length === 0 && files > 0 ? 0 : 1);
