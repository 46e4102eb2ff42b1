// The generator of DAGs uses PyYAML, which differs from newer YAML readers.
import { describe, expect, it } from 'vitest';
import { readWorkflowFiles } from './index.ts';
import { landCoverTexts } from './workflow.test-helper.ts';

const texts = landCoverTexts();
const read = (dag: string) => readWorkflowFiles({ ...texts, dag });
const faultOf = (dag: string): string => {
  const found = read(dag);
  return found.kind === 'read' ? 'read' : found.faults.map(({ line, problem }) => `${line}: ${problem}`).join('; ');
};
const { dag } = texts;
const version = (value: string): string => dag.replace(/^version: .*$/m, `version: ${value}`);
const further = (line: string): string => dag.replace(/^version: .*$/m, `$&\n${line}`);

describe('a workflow file', () => {
  it.each([
    ['a tab after a colon', version('\t"1"'), /tab/],
    ['a tab in a text', version('1\t2'), /tab/],
    ['a tab before a comment', version('"1"\t# x'), /tab/],
    ['a tab at the end of a line', version('"1"\t'), /tab/],
    ['a control character in a comment', `${dag}# \u0007\n`, /U\+0007/],
    ['DEL', `${dag}# \u007f\n`, /U\+007F/],
    ['C1', `${dag}# \u0080\n`, /U\+0080/],
    ['U+FFFE', `${dag}# \ufffe\n`, /U\+FFFE/],
    ['half a character', `${dag}# \ud800\n`, /U\+D800/],
    ['an anchor that is not ASCII', version('&n.é "1"'), /anchor/],
    ['a list as a key', further('[a]: 1'), /list or a mapping as a key/],
    ['a mapping as a key', further('{a: 1}: 1'), /list or a mapping as a key/],
    ['an empty key', further(': 1'), /empty key/],
    ['the value =', version('='), /value =/],
    ['a line end of Unicode in a comment', further('# \u2028x'), /U\+2028/],
  ])('with %s is rejected', (_name, text, problem) => {
    expect(faultOf(text)).toMatch(problem);
  });

  it('may contain a tab within quotation marks', () => {
    expect(faultOf(version('"1\t2"'))).not.toMatch(/a tab/);
  });

  it('is rejected with the line of the fault', () => {
    expect(faultOf(version('\t"1"'))).toMatch(
      new RegExp(`^${dag.split('\n').findIndex((line) => line.startsWith('version:')) + 1}: `),
    );
  });

  it.each([
    ['carriage returns as line ends', dag.replaceAll('\n', '\r')],
    ['carriage returns and line feeds as line ends', dag.replaceAll('\n', '\r\n')],
    ['next-line characters as line ends', dag.replaceAll('\n', '\u0085')],
    ['a byte order mark', `\ufeff${dag}`],
    ['tabs in allowed places', `${dag}#\ta comment\n`],
    ['a quoted =', version('"="')],
    ['an anchor of ASCII', version('&n-1_a "1"')],
  ])('with %s is read', (_name, text) => {
    expect(faultOf(text)).toBe('read');
  });
});
