// Finds words that scripts/words.json refuses. `meant` is the number of accepted occurrences per file; `--count` prints
// sums by folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const LIST = 'scripts/words.json';
const READ = /(^VERSION|\.(ts|mjs|md|py|sh|css|html))$/;
// Files that are not checked; the list itself contains the refused words.
const LEFT = /^(scripts\/words\.|node_modules\/|.*\.generated\.ts$)/;

const list = JSON.parse(readFileSync(LIST, 'utf8'));
const words = list.words.map((word) => ({ ...word, regexp: new RegExp(`\\b(?:${word.pattern})\\b`, 'gi') }));
const opening = new RegExp(`/\\*\\*\\s+(?:\\*\\s+)?(${list.openings.pattern})\\b`, 'g');

/** Refused words of a text, each with line, reason and a better word. */
export function refusedWords(text) {
  const found = [];
  const add = (rule, match) => {
    const line = text.slice(0, match.index).split('\n').length;
    found.push({ line, word: match[1] ?? match[0], why: rule.why, better: rule.better });
  };
  for (const word of words) for (const match of text.matchAll(word.regexp)) add(word, match);
  for (const match of text.matchAll(opening)) add(list.openings, match);
  return found.sort((a, b) => a.line - b.line);
}

/** Reason why a commit title is refused; undefined if the title is accepted. */
export function titleFault(title) {
  const { longest, notFirst, allowedFirst } = list.titles;
  const [first = ''] = title.split(' ');
  if (title.length > longest) return `has ${title.length} characters; at most ${longest}`;
  if (!/^[A-Z]/.test(title)) return 'begins with a small letter';
  if (new RegExp(`^${notFirst}$`).test(first) && !allowedFirst.includes(first))
    return `begins with "${first}"; use the imperative`;
  const [word] = refusedWords(title);
  return word === undefined ? undefined : `has "${word.word}": ${word.why}; better: ${word.better}`;
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Hashes and titles of the commits since the last tag; without a tag, since the commit that added the list. */
function titles() {
  const tag = git('tag', '--sort=-creatordate').split('\n')[0];
  const from = tag === '' ? git('log', '--diff-filter=A', '--format=%H', '-1', '--', LIST) : tag;
  return from === '' ? [] : git('log', '--no-merges', '--format=%h %s', `${from}..HEAD`).split('\n').filter(Boolean);
}

function main() {
  const files = git('ls-files').split('\n');
  const found = files
    .filter((path) => READ.test(path) && !LEFT.test(path) && existsSync(path))
    .map((path) => ({ path, refused: refusedWords(readFileSync(path, 'utf8')) }))
    .filter(({ refused }) => refused.length > 0);
  if (process.argv.includes('--count')) return count(found);
  const faults = found
    .filter(({ path, refused }) => refused.length > (list.meant[path] ?? 0))
    .flatMap(({ path, refused }) =>
      refused.map(({ line, word, why, better }) => `${path}:${line}: "${word}": ${why}; better: ${better}`),
    );
  for (const title of titles()) {
    const fault = titleFault(title.slice(title.indexOf(' ') + 1));
    if (fault !== undefined) faults.push(`commit ${title}: ${fault}`);
  }
  for (const line of faults) console.error(line);
  console.log(
    faults.length === 0 ? 'no refused words' : `Rewrite the sentence; if the word is meant, count it in ${LIST}.`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function count(found) {
  const sums = new Map();
  for (const { path, refused } of found) {
    const folder = /^(packages|examples)\/[^/]+/.exec(path)?.[0] ?? (dirname(path).split('/')[0] || '.');
    sums.set(folder, (sums.get(folder) ?? 0) + refused.length);
  }
  for (const [folder, times] of [...sums].sort((a, b) => b[1] - a[1])) console.log(`${times}\t${folder}`);
}

if (import.meta.main) main();
