// Makes land-cover's table of confidence and the report with its reliability plot: npm run confidence
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fitSample } from './fit-sample.ts';
import { fitTable, tableModule } from './fit.ts';
import { judgeSecondWorld, judgeSettings } from './observed.ts';
import { hasRealPatch, judgeRealPatch } from './real-patch.ts';
import { calibrationError, reliability, reliabilitySvg } from './reliability.ts';

const root = new URL('../../../../', import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, root));

/** Seed that the table was not fitted to. */
const HELD_OUT = 99;

if (process.argv[2] === 'table') {
  writeFileSync(path('packages/land-cover/src/confidence/table.ts'), tableModule(fitTable(fitSample())));
  console.log('The table is made. Now: npm run confidence -- report');
} else {
  const real = hasRealPatch() ? await judgeRealPatch() : [];
  if (real.length === 0) console.log('The real sample is not beside the repository: the report goes without it.');
  const curves = [
    { name: 'four settings, another seed', color: '#1b7837', judged: judgeSettings(HELD_OUT, 100) },
    { name: 'second world', color: '#2166ac', judged: judgeSecondWorld() },
    { name: 'real: Slovenia, NDVI alone', color: '#b2182b', judged: real },
  ].flatMap(({ judged, ...rest }) => (judged.length === 0 ? [] : [{ ...rest, bins: reliability(judged) }]));
  mkdirSync(path('docs/accuracy'), { recursive: true });
  writeFileSync(path('docs/accuracy/reliability.svg'), reliabilitySvg(curves));
  for (const { name, bins } of curves) {
    console.log(`${name}: calibration error ${calibrationError(bins).toFixed(3)}`);
    for (const b of bins) console.log(`  ${b.confidence.toFixed(2)} ${b.right.toFixed(2)} ${b.pixels}`);
  }
}
