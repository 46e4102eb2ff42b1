import { readFileSync, writeFileSync } from 'node:fs';
import { apiTypes } from '../packages/client/scripts/api-types.ts';
import { createPipelines } from '../packages/server/src/pipelines.ts';
import { buildOperations, generateOpenApi, type OpenApiDocument } from '@headwater/http-service';

const versionFile = new URL('../package.json', import.meta.url);

function openApiDocument(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(versionFile, 'utf8')) as { version: string };
  return generateOpenApi(buildOperations(createPipelines()), version);
}

/** Generated files with their texts: the OpenAPI document, and the types of the client. */
export async function generatedFiles(): Promise<readonly (readonly [path: string, text: string])[]> {
  const document = openApiDocument();
  return [
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['packages/client/src/api.generated.ts', await apiTypes(document)],
  ];
}

// If this module runs as a script, it writes the files. With --check it only compares them.
if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) {
    const file = new URL(`../${path}`, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${path} is out of date; run npm run openapi`);
      process.exitCode = 1;
    }
  }
}
