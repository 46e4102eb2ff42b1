// npm run confidence [-- table | thresholds]: writes the table of confidence or the table of thresholds; by default,
// the reliability report.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fitSample } from './fit-sample.ts';
import { fitWeights, tableModule } from './fit.ts';
import { hasRealPatch } from './real-patch.ts';
import { reliabilitySvg } from './reliability.ts';
import { writeThresholds } from './sensitivity.ts';
import { curvesOf, ownSources, realSources, reportMarkdown } from './report.ts';

const root = new URL('../../', import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, root));

if (process.argv[2] === 'thresholds') {
  await writeThresholds();
} else if (process.argv[2] === 'table') {
  const table = fitWeights(Object.values(fitSample()).flat());
  writeFileSync(path('packages/land-cover/src/confidence/table.ts'), tableModule(table));
  console.log('The table is written. Next: npm run confidence -- report');
} else if (hasRealPatch()) {
  const sources = [...ownSources(fitSample()), ...(await realSources())];
  mkdirSync(path('docs/accuracy'), { recursive: true });
  writeFileSync(path('docs/accuracy/reliability.svg'), reliabilitySvg(curvesOf(sources)));
  writeFileSync(path('docs/accuracy/reliability.md'), reportMarkdown(sources));
  console.log(reportMarkdown(sources));
} else {
  console.log('The real sample is not next to the repository: the report is printed, not written.');
  console.log(reportMarkdown(ownSources(fitSample())));
}
