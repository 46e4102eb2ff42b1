import { readFileSync, writeFileSync } from 'node:fs';
import { createPipelines } from '../packages/server/src/pipelines.ts';
import { buildOperations, generateOpenApi } from '@headwater/http-service';

const file = new URL('../docs/openapi.json', import.meta.url);
const versionFile = new URL('../package.json', import.meta.url);

/** Returns the text of docs/openapi.json, generated from the table of operations and the version of the software. */
export function openApiText(): string {
  const { version } = JSON.parse(readFileSync(versionFile, 'utf8')) as { version: string };
  const operations = buildOperations(createPipelines());
  return `${JSON.stringify(generateOpenApi(operations, version), null, 2)}\n`;
}

// As a script, this module writes the file. With --check, it only checks that the file is up to date.
if (import.meta.main) {
  const text = openApiText();
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error('docs/openapi.json is out of date; run npm run openapi');
    process.exitCode = 1;
  }
}
