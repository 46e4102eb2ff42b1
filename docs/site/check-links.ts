import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Address of the site on a server. */
export const BASE = '/docs/guide/';

/** Checks all links, scripts and pictures of a built site. Returns a line for each missing file or anchor. */
export function deadLinks(folder: string): readonly string[] {
  const files = globSync('**/*', { cwd: folder });
  const pages = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const ids = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const known = new Set(files);
  const dead: string[] = [];
  for (const [file, html] of pages) {
    const targets = new Set(
      [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&')),
    );
    for (const target of targets) {
      if (/^(https?|mailto|data):/.test(target)) continue;
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? file : fileOf(file, decodeURI(path));
      if (to === undefined || !known.has(to)) dead.push(`${file}: ${target} does not exist`);
      else if (anchor !== '' && ids.get(to)?.has(decodeURIComponent(anchor)) !== true)
        dead.push(`${file}: ${target} has no element #${anchor}`);
    }
  }
  return dead.toSorted();
}

function fileOf(from: string, path: string): string | undefined {
  const inside = path.startsWith('/')
    ? path.startsWith(BASE)
      ? path.slice(BASE.length)
      : undefined
    : join(dirname(from), path);
  return inside === undefined || inside === '' || inside.endsWith('/')
    ? (inside && `${inside}index.html`) || (inside === '' ? 'index.html' : undefined)
    : inside;
}
