import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { anchorsOf, replaceLinks, sectionOf, withoutSections } from './markdown.ts';
import type { Page } from './pages.ts';

/** A page with its Markdown. The links of the text are relative to `source`. */
export interface Text {
  readonly path: string;
  readonly source: string;
  readonly text: string;
}

const IMAGE = /\.(png|svg|jpg)$/;
/** A paragraph of one link with the title "include" is replaced by the section to which it links. */
const INCLUDE = /^\[[^\]]*\]\((\S+)#(\S+) ["']include["']\)$/gm;
/** Languages of code blocks, by the extension of the shown file. Other files are shown without a language. */
const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.mjs': 'js',
  '.json': 'json',
  '.example': 'sh',
};

/** Reads the pages and every file to which they link, and rewrites the links. Throws for a missing file. */
export class Stage {
  readonly #root: string;
  readonly #texts = new Map<string, Text>();
  readonly #images = new Set<string>();
  readonly #faults: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds the pages of the site and the files to which they link. */
  addPages(pages: readonly Page[]): void {
    for (const { path, source } of pages) {
      const [file = '', section] = source.split('#');
      const whole = this.#read(file);
      const elsewhere = pages.flatMap((other) =>
        other.source.startsWith(`${file}#`) ? [other.source.split('#')[1] ?? ''] : [],
      );
      const text =
        section === undefined
          ? isWhole(pages, file)
            ? withoutSections(whole, elsewhere)
            : whole
          : sectionOf(whole, section);
      this.add({ path, source: file, text: this.#included(file, text) });
    }
    for (const text of this.#texts.values()) replaceLinks(text.text, (target) => (this.#follow(text, target), target));
  }

  /** Adds one text, such as a generated page. */
  add(text: Text): void {
    this.#texts.set(text.path, text);
  }

  /** Writes all pages below `folder`. */
  async write(folder: string): Promise<void> {
    for (const page of this.#texts.values()) {
      const text = replaceLinks(page.text, (target) => this.#addressOf(page, target));
      const file = join(folder, `${page.path}.md`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll(/^<!--.*-->$/gm, ''));
    }
    for (const image of this.#images) {
      const file = join(folder, 'public', image);
      await mkdir(dirname(file), { recursive: true });
      await copyFile(join(this.#root, image), file);
    }
    if (this.#faults.length > 0) throw new Error(`dead links:\n${this.#faults.join('\n')}`);
  }

  #read(file: string): string {
    return readFileSync(join(this.#root, file), 'utf8');
  }

  #included(file: string, text: string): string {
    return text.replaceAll(INCLUDE, (_, target: string, section: string) => {
      const from = normalize(join(dirname(file), target));
      const lines = sectionOf(this.#read(from), section).split('\n').slice(1).join('\n');
      return replaceLinks(lines, (link) =>
        link.startsWith('#') ? `${target}${link}` : relative(dirname(file), join(dirname(from), link)),
      );
    });
  }

  #follow({ source, path }: Text, target: string): void {
    const file = fileOf(source, target);
    if (file === undefined || source === '' || this.#pageOf(file) !== undefined) return;
    const full = join(this.#root, file);
    if (!existsSync(full)) this.#faults.push(`${source} (page ${path}): ${target}; correct the link`);
    else if (IMAGE.test(file)) this.#images.add(file);
    else if (!statSync(full).isDirectory()) this.add({ path: pathFor(file), source: file, text: this.#textOf(file) });
    else if (existsSync(join(full, 'README.md')))
      this.#follow({ source, path, text: '' }, `${target.replace(/\/$/, '')}/README.md`);
    else {
      const listing = this.#listing(file);
      if (listing === undefined)
        this.#faults.push(
          `${source} (page ${path}): ${target} has no README.md, package.json or src; link a file of it`,
        );
      else this.add({ path: pathFor(file), source: file, text: listing });
    }
  }

  #textOf(file: string): string {
    const content = this.#read(file);
    if (file.endsWith('.md')) return this.#included(file, content);
    const language = CODE_LANGUAGES[extname(file)] ?? '';
    return `# ${file}\n\n\`\`\`\`${language}\n${content}\n\`\`\`\`\n`;
  }

  #listing(folder: string): string | undefined {
    const files = globSync('{package.json,src/**/*.ts}', { cwd: join(this.#root, folder) }).filter(
      (name) => !name.includes('.test.'),
    );
    if (files.length === 0) return undefined;
    return [`# ${folder}`, ...files.map((name) => this.#textOf(join(folder, name)).replace('# ', '## '))].join('\n\n');
  }

  #pageOf(file: string, anchor?: string): Text | undefined {
    const pages = [...this.#texts.values()].filter(({ source }) => source === file || source === `${file}/README.md`);
    return (anchor === undefined ? undefined : pages.find(({ text }) => anchorsOf(text).includes(anchor))) ?? pages[0];
  }

  #addressOf({ source, path }: Text, target: string): string {
    const file = target.startsWith('#') ? source : fileOf(source, target);
    if (file === undefined || source === '') return target;
    if (IMAGE.test(file)) return `/${file}`;
    const [, anchor] = target.split('#');
    const page = this.#pageOf(file, anchor);
    return page === undefined || (target.startsWith('#') && page.path === path)
      ? target
      : `/${page.path === 'index' ? '' : page.path}${anchor === undefined ? '' : `#${anchor}`}`;
  }
}

function isWhole(pages: readonly Page[], file: string): boolean {
  return pages.some(({ source }) => source === file);
}

function fileOf(source: string, target: string): string | undefined {
  const [path = ''] = target.split('#');
  return path === '' || path.startsWith('/') ? undefined : normalize(join(dirname(source), path)).replace(/\/$/, '');
}

/** Address of the page of a file. It has two segments, because the server does not serve deeper pages. */
function pathFor(file: string): string {
  const [, decision] = /^decisions\/(.+)\.md$/.exec(file) ?? [];
  return decision === undefined
    ? `files/${file
        .replace(/(\/README)?\.md$/, '')
        .replaceAll(/[./]/g, '-')
        .replace(/^-/, '')}`
    : `decisions/${decision}`;
}
