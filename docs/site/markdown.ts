interface Heading {
  readonly level: number;
  readonly title: string;
  readonly line: number;
}

/** Returns the id that GitHub gives to a heading. */
export function slugOf(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Returns the headings outside of code blocks. */
export function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  eachTextLine(lines, (text, line) => {
    const [, marks = '', title = ''] = /^(#{1,6}) +(.+?) *$/.exec(text) ?? [];
    if (marks !== '') headings.push({ level: marks.length, title, line });
  });
  return headings;
}

/** Returns the ids of all headings of a text. A repeated id gets a number. */
export function anchorsOf(text: string): readonly string[] {
  const counts = new Map<string, number>();
  return headingsOf(text.split('\n')).map(({ title }) => {
    const slug = slugOf(title);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** Removes sections. A section ends before the next heading of an equal or higher level. */
export function withoutSections(text: string, titles: readonly string[]): string {
  return titles.reduce((rest, title) => {
    const lines = rest.split('\n');
    const [from, to] = rangeOf(lines, title);
    return [...lines.slice(0, from), ...lines.slice(to)].join('\n');
  }, text);
}

/** Returns a section as a page, with its heading on the first level. */
export function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const [from, to, level] = rangeOf(lines, title);
  const headings = new Set(headingsOf(lines).map(({ line }) => line));
  return lines
    .slice(from, to)
    .map((line, i) => (headings.has(from + i) ? line.slice(level - 1) : line))
    .join('\n');
}

function rangeOf(lines: readonly string[], title: string): readonly [from: number, to: number, level: number] {
  const headings = headingsOf(lines);
  const at = headings.findIndex((heading) => heading.title === title || slugOf(heading.title) === title);
  const heading = headings[at];
  if (heading === undefined) throw new Error(`no section "${title}"; correct its title in docs/site/pages.ts`);
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
  return [heading.line, next?.line ?? lines.length, heading.level];
}

/** Replaces the target of each relative link outside of code. */
export function replaceLinks(text: string, replace: (target: string) => string): string {
  const lines = text.split('\n');
  eachTextLine(lines, (line, i) => {
    const parts = line.split(/(`[^`]+`)/);
    const whole = parts.map((part, at) => (at % 2 === 1 ? `\uE000${at}\uE000` : part)).join('');
    const linked = whole.replaceAll(/\]\(([^)\s]+)((?: ["'][^"']*["'])?)\)/g, (all, target: string, title: string) =>
      /^[a-z]+:/i.test(target) ? all : `](${replace(target)}${title})`,
    );
    lines[i] = linked.replaceAll(/\uE000(\d+)\uE000/g, (_, at: string) => parts[Number(at)] ?? '');
  });
  return lines.join('\n');
}

function eachTextLine(lines: readonly string[], visit: (line: string, index: number) => void): void {
  let fence = '';
  for (const [i, line] of lines.entries()) {
    const [, mark = ''] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== '' && (fence === '' || line.trim() === fence)) fence = fence === '' ? mark : '';
    else if (fence === '') visit(line, i);
  }
}
