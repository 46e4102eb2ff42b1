/** The file of a worker beside its importer: `.ts` when sources run, `.js` when built. */
export function workerUrl(name: string, importer: string): URL {
  return new URL(importer.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, importer);
}
