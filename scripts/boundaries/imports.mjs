// Imports and re-exports of a source file, including types.
import { parseSync } from 'oxc-parser';

/**
 * Returns `[{ name, typeOnly }]` of static imports, re-exports and dynamic imports of a literal. Throws for invalid
 * source.
 */
export function importsOf(file, source) {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const dynamic = module.dynamicImports.map((found) =>
    source.slice(found.moduleRequest.start, found.moduleRequest.end),
  );
  return [
    ...module.staticImports.map((found) => ({
      name: found.moduleRequest.value,
      typeOnly: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries
        .filter((entry) => entry.moduleRequest)
        .map((entry) => ({ name: entry.moduleRequest.value, typeOnly: entry.isType })),
    ),
    ...dynamic.filter((text) => /^['"]/.test(text)).map((text) => ({ name: text.slice(1, -1), typeOnly: false })),
  ];
}
