import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

interface Option {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
}

/** Endings of interface names. An interface with such a name is also listed if an option has its type. */
const LISTED = /(Options?|Settings|Parts|Limits|Rule|Viewer|Background)$/;
const FOLDERS = ['http-service', 'core', 'identity'].map((name) => `packages/${name}/src`);

/** Lists the options of `createHeadwater` from the sources. Throws if the interface is missing. */
export function optionsPage(root: string): string {
  const interfaces = new Map<string, readonly Option[]>();
  for (const folder of FOLDERS)
    for (const file of globSync('**/*.ts', { cwd: join(root, folder) }))
      if (!/\.(test|fixture)\./.test(file))
        for (const [name, options] of interfacesIn(readFileSync(join(root, folder, file), 'utf8')))
          if (!interfaces.has(name)) interfaces.set(name, options);
  const shown = new Set(['HeadwaterOptions']);
  const parts: string[] = [];
  // The loop also visits the names that it adds to the set.
  for (const name of shown) {
    const options = interfaces.get(name);
    if (options === undefined) throw new Error(`options: no exported interface ${name} in ${FOLDERS.join(', ')}`);
    parts.push(`## ${name}`, ...options.map(entryOf));
    for (const { type } of options)
      for (const [used] of type.matchAll(/\b[A-Z]\w+/g)) if (LISTED.test(used) && interfaces.has(used)) shown.add(used);
  }
  return [
    '# Options of createHeadwater',
    'This page is generated from the types of the code. An option with `?` may be left out.',
    ...parts,
  ].join('\n\n');
}

function entryOf({ name, type, isOptional, text }: Option): string {
  return `**\`${name}${isOptional ? '?' : ''}\`**: \`${type}\`\n\n${text}`.trim();
}

function* interfacesIn(source: string): Generator<readonly [name: string, options: readonly Option[]]> {
  if (!/^export interface/m.test(source)) return;
  const { program, comments } = parseSync('source.ts', source);
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'TSInterfaceDeclaration')
      continue;
    const { id, body } = statement.declaration;
    const options = body.body.flatMap((member): Option[] => {
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return [];
      const comment = comments.findLast(
        ({ end }) => end <= member.start && source.slice(end, member.start).trim() === '',
      );
      const type = member.typeAnnotation?.typeAnnotation;
      return [
        {
          name: member.key.name,
          type: type === undefined ? 'unknown' : plainType(source.slice(type.start, type.end)),
          isOptional: member.optional,
          text: comment?.type === 'Block' ? plainComment(comment.value) : '',
        },
      ];
    });
    yield [id.name, options];
  }
}

function plainType(text: string): string {
  return text.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
}

function plainComment(text: string): string {
  return text
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
