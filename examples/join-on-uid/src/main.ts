import { parseArgs } from 'node:util';
import { mapOfColumn } from './map-of-column.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string', default: 'http://localhost:8000' }, tehsil: { type: 'string' } },
});
const [sheet, column] = positionals;
const apiKey = process.env['PUBLIC_API_X_API_KEY'];
if (sheet === undefined || column === undefined || apiKey === undefined) {
  console.error('usage: PUBLIC_API_X_API_KEY=... join-on-uid SHEET COLUMN [--tehsil NAME] [--url ADDRESS] > map.svg');
  process.exit(1);
}
try {
  process.stdout.write(await mapOfColumn({ baseUrl: values.url, apiKey, tehsil: values.tehsil, sheet, column }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
