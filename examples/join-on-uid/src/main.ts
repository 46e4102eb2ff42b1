import { parseArgs } from 'node:util';
import { mapOfColumn, type MapWish } from './map-of-column.ts';

const USAGE =
  'usage: PUBLIC_API_X_API_KEY=... join-on-uid SHEET COLUMN [--tehsil NAME] [--url ADDRESS] > map.svg; names with blanks in quotes';

/** What the command line asks for. Throws with what is wrong with it. */
function asked(apiKey = ''): MapWish {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string', default: 'http://localhost:8000' }, tehsil: { type: 'string' } },
  });
  const [sheet, column, ...unknown] = positionals;
  if (sheet === undefined || column === undefined) throw new Error('SHEET or COLUMN is missing');
  if (unknown.length > 0) throw new Error(`not understood: ${unknown.join(' ')}`);
  if (apiKey.trim() === '')
    throw new Error('PUBLIC_API_X_API_KEY is empty; POST /api/v1/generate_api_key/ makes a key');
  return { baseUrl: values.url, apiKey, tehsil: values.tehsil, sheet, column };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let wish: MapWish;
try {
  wish = asked(process.env['PUBLIC_API_X_API_KEY']);
} catch (error) {
  console.error(`${messageOf(error)}\n${USAGE}`);
  process.exit(1);
}
try {
  process.stdout.write(await mapOfColumn(wish));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
