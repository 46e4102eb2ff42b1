import { readFile } from 'node:fs/promises';
import type { ApiViewer } from '@headwater/http-service';

/** Starts Swagger UI in the visitor's light or dark mode. It sends requests only to this origin. */
const START = `
const viewer = document.getElementById('api-viewer');
const dark = matchMedia('(prefers-color-scheme: dark)');
const recolour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', recolour);
recolour();
fetch(viewer.dataset.document).then((response) => response.json()).then((spec) => SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: viewer.dataset.prefix.replace(/\\/$/, '') || '/' }] },
  domNode: viewer,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
}));
`;

/** Hides title, version and address, because the page around the viewer shows them. */
const STYLE = `
.swagger-ui .information-container, .swagger-ui .scheme-container .servers, .swagger-ui .servers-title { display: none; }
.swagger-ui .wrapper { padding: 0; }
`;

/**
 * Swagger UI in the copy of `@fastify/swagger-ui`, because `swagger-ui-dist` reports each installation to a third
 * party.
 */
export const swaggerUi: ApiViewer = {
  script: async () => Buffer.concat([await staticFile('swagger-ui-bundle.js'), Buffer.from(START)]),
  style: async () => Buffer.concat([await staticFile('swagger-ui.css'), Buffer.from(STYLE)]),
};

async function staticFile(name: string): Promise<Buffer> {
  return await readFile(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui/package.json')));
}
