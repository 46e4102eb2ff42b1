import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import { anchorsOf, replaceLinks } from './markdown.ts';
import type { Text } from './stage.ts';

interface Entry {
  readonly name: string;
  /** Source file, relative to `packages/`. */
  readonly file: string;
  readonly path: string;
}

/** Entries of the published packages, from the exports in their package.json. */
export function entriesOf(root: string): readonly Entry[] {
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
        readonly name: string;
        readonly private?: boolean;
        readonly exports?: Readonly<Record<string, { readonly '@headwater/source'?: string } | string>>;
      };
      if (manifest.private === true) return [];
      const folder = file.split('/')[1] ?? '';
      return Object.entries(manifest.exports ?? {}).flatMap(([key, target]): Entry[] => {
        const source = typeof target === 'string' ? undefined : target['@headwater/source'];
        if (source?.endsWith('.ts') !== true) return [];
        const name = `${manifest.name}${key.slice(1)}`;
        return [{ name, file: join(folder, source), path: `api/${folder}${key.slice(1).replaceAll(/[./]/g, '-')}` }];
      });
    });
}

/**
 * Generates a page for each entry with typedoc. Typedoc has its own TypeScript, because TypeScript 7 lacks the required
 * API.
 */
export async function packagePages(root: string): Promise<readonly Text[]> {
  const entries = entriesOf(root);
  const out = await mkdtemp(join(tmpdir(), 'headwater-api-'));
  try {
    await generate(root, out, entries);
    const pages = new Map(entries.map((entry) => [entry.file.replace(/(\/index)?\.ts$/, '.md'), entry]));
    const texts = new Map<string, string>();
    for (const [file, { path }] of pages)
      texts.set(path, (await readFile(join(out, file), 'utf8')).replaceAll(/<a id="[^"]*"><\/a> ?/g, ''));
    const index = entries.map(({ name, path }) => `- [${name}](/${path})`);
    return [
      {
        path: 'reference/packages',
        source: '',
        text: [
          '# Packages',
          'Every entry of every package, generated from the types and comments of the code.',
          index.join('\n'),
        ].join('\n\n'),
      },
      ...[...pages].map(([file, { name, path }]) => {
        const text = texts.get(path) ?? '';
        const linked = replaceLinks(text, (target) => {
          const [to = '', anchor] = target.split('#');
          const page = to === '' ? undefined : pages.get(normalize(join(file, '..', to)));
          const shown = page?.path ?? path;
          return `/${shown}${anchorIn(texts.get(shown) ?? '', anchor)}`;
        });
        return { path, source: '', text: linked.replace(/^# .*$/m, `# ${name}`) };
      }),
    ];
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/**
 * Returns the link to an anchor of a text; empty if the text has no such anchor. Typedoc numbers equal anchors,
 * and also counts members without a heading. So the text may contain the anchor without the number.
 */
function anchorIn(text: string, anchor = ''): string {
  const anchors = anchorsOf(text);
  const found = [anchor, anchor.replace(/-\d+$/, '')].find((each) => anchors.includes(each));
  return found === undefined ? '' : `#${found}`;
}

async function generate(root: string, out: string, entries: readonly Entry[]): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    plugin: [createRequire(import.meta.url).resolve('typedoc-plugin-markdown')],
    entryPoints: entries.map(({ file }) => join(root, 'packages', file)),
    tsconfig: join(import.meta.dirname, 'tsconfig.typedoc.json'),
    // Type errors are not checked here, because `npm run check` reports them.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    readme: 'none',
    logLevel: LogLevel.Error,
    out,
  });
  app.options.setValue('outputFileStrategy', 'modules');
  app.options.setValue('hidePageHeader', true);
  app.options.setValue('hideBreadcrumbs', true);
  for (const name of [
    'parametersFormat',
    'interfacePropertiesFormat',
    'typeAliasPropertiesFormat',
    'typeDeclarationFormat',
  ])
    app.options.setValue(name, 'table');
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the packages');
  await app.generateOutputs(project);
}
