// npm run bench: compares our code with the peers (comparable programs) on the same files.
import { writeFileSync } from 'node:fs';
import { Checks } from './checks.ts';
import { header } from './header.ts';
import { isWanted, readOptions } from './options.ts';
import { cogWriteRows } from './rows/cog-write.ts';
import { countryRows } from './rows/country.ts';
import { dryRunRows } from './rows/dry-run.ts';
import { decodeRows } from './rows/decode.ts';
import { kernelRows } from './rows/kernels.ts';
import { inflateRows } from './rows/inflate.ts';
import { lookupRows } from './rows/lookups.ts';
import { memoryRows } from './rows/memory.ts';
import { markerRows } from './rows/markers.ts';
import { orchestratorRows } from './rows/orchestrator.ts';
import { routeRows } from './rows/routes.ts';
import { serverWideYearRows, serverYearRows } from './rows/server-year.ts';
import { stacRows } from './rows/stac.ts';
import { tehsilYearRows } from './rows/tehsil-year.ts';
import { shapeRows } from './rows/shapes.ts';
import { warpRows } from './rows/warp.ts';
import { zonalRows } from './rows/zonal.ts';
import { absentPeers, formatTable, jsonRows } from './table.ts';
import type { BenchResult } from './table.ts';

const GROUPS = [
  decodeRows,
  inflateRows,
  kernelRows,
  cogWriteRows,
  zonalRows,
  warpRows,
  shapeRows,
  tehsilYearRows,
  dryRunRows,
  serverYearRows,
  serverWideYearRows,
  routeRows,
  lookupRows,
  countryRows,
  markerRows,
  orchestratorRows,
  stacRows,
  memoryRows,
];

const options = readOptions(process.argv.slice(2));
const groups = GROUPS.filter(({ names }) => names.some((name) => isWanted(name, options)));
if (groups.length === 0) {
  throw new Error(
    `--only ${options.only.join(',')}: unknown row; use ${GROUPS.flatMap(({ names }) => names).join(', ')}`,
  );
}
console.log(header());
const checks = new Checks();
const results: BenchResult[] = [];
const absent: string[] = [];
for (const { names, run } of groups) {
  console.log(`\n-- ${names.filter((name) => isWanted(name, options)).join(', ')}`);
  const rows = await run({ options, checks });
  absent.push(
    ...absentPeers(
      rows,
      names.filter((name) => isWanted(name, options)),
    ),
  );
  if (rows.length === 0) console.log('skipped');
  else console.log(formatTable(rows));
  results.push(...rows);
}

console.log(`\n${formatTable(results)}`);
const missed = results.filter(({ pass }) => pass === false).map(({ name }) => name);
if (missed.length > 0) console.log(`\nbars missed: ${missed.join(', ')}`);
if (absent.length > 0) console.log(`without their peer: ${absent.join(', ')}`);
for (const failure of checks.failed) console.log(`CHECK FAILED (unequal work): ${failure}`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(jsonRows(results), null, 2)}\n`);
process.exitCode = options.strict && missed.length + checks.failed.length + absent.length > 0 ? 1 : 0;
