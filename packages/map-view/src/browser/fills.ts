import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';

/** Colours of a feature. */
export interface Drawn {
  readonly fill: Fill | undefined;
  readonly stroke: Stroke | undefined;
}

type Properties = Readonly<Record<string, unknown>>;
type Test = (properties: Properties) => boolean;

/**
 * Comparisons by element name. If a number is compared with a text that is not a number, only `PropertyIsNotEqualTo`
 * is true. If a number is compared with an empty text, no comparison is true.
 */
const COMPARISONS: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  PropertyIsEqualTo: (a, b) => a === b,
  PropertyIsNotEqualTo: (a, b) => a !== b,
  PropertyIsLessThan: (a, b) => a < b,
  PropertyIsGreaterThan: (a, b) => a > b,
  PropertyIsLessThanOrEqualTo: (a, b) => a <= b,
  PropertyIsGreaterThanOrEqualTo: (a, b) => a >= b,
};

/**
 * Reads an SLD. The returned function returns the colours of the last rule that selects a feature; undefined if no rule
 * selects it. Throws if the SLD cannot be read.
 */
export async function readFills(address: string): Promise<(properties: Properties) => Drawn | undefined> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responded ${response.status}`);
  const style = new DOMParser().parseFromString(await response.text(), 'text/xml');
  const rules = [...style.querySelectorAll('Rule')].map((rule) => ({
    test: testOf(childrenOf(rule, 'Filter')[0]?.firstElementChild ?? null),
    drawn: drawnOf(rule),
  }));
  if (rules.length === 0) throw new Error(`${address} has no rules`);
  return (properties) => rules.findLast(({ test }) => test(properties))?.drawn;
}

const childrenOf = (element: Element, name: string): readonly Element[] =>
  [...element.children].filter(({ localName }) => localName === name);

function testOf(condition: Element | null): Test {
  if (condition === null) return () => true;
  const { localName } = condition;
  if (localName === 'And' || localName === 'Or') {
    const tests = [...condition.children].map(testOf);
    return localName === 'And'
      ? (properties) => tests.every((test) => test(properties))
      : (properties) => tests.some((test) => test(properties));
  }
  const compare = COMPARISONS[localName];
  const [first, second] = [...condition.children].map(valueOf);
  if (localName === 'PropertyIsNull' && first !== undefined)
    return (properties) => (first(properties) ?? null) === null;
  if (compare === undefined || first === undefined || second === undefined) return () => false;
  return (properties) => {
    const [a, b] = [first(properties), second(properties)];
    if (typeof a === 'number') return b !== '' && compare(a, Number(b ?? NaN));
    if (typeof b === 'number') return a !== '' && compare(Number(a ?? NaN), b);
    return typeof a === 'string' && typeof b === 'string' && compare(a, b);
  };
}

function valueOf({ localName, textContent }: Element): (properties: Properties) => unknown {
  const text = textContent ?? '';
  return localName === 'PropertyName' ? (properties) => properties[text] : () => text;
}

function drawnOf(rule: Element): Drawn {
  const symbol = [...rule.children].find(({ localName }) => localName.endsWith('Symbolizer'));
  const css = (name: string): string | undefined =>
    symbol?.querySelector(`CssParameter[name="${name}"]`)?.textContent?.trim();
  const [fill, stroke, width = '1'] = [css('fill'), css('stroke'), css('stroke-width')];
  return {
    fill: fill === undefined ? undefined : new Fill({ color: fill }),
    stroke: stroke === undefined ? undefined : new Stroke({ color: stroke, width: Number(width) }),
  };
}
