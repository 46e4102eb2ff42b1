/** What users call the two classes of the suite's layer: text, whatever it looks like. */
export const TITLED = [
  { title: 'Houses & roads', color: '#FF0000' },
  { title: '<b>tall</b> trees', color: '#00AA00' },
] as const;

/** What the page of the suite's eight labels says, seven of which agree; figures as worked out by hand. */
export const VALIDATION_PAGE: readonly string[] = [
  '<h1>Accuracy of ',
  '<span>Overall accuracy, by count</span><b>87.5 %</b><span>(52.9 to 97.8)</span>',
  '<span>Overall accuracy, by area of the map</span><b>87.5 %</b>',
  '<span>Kappa</span><b>0.750</b>',
  '<dd>8 compared as points, 3 left out</dd>',
  'Left out: 1. Labels that the legend does not name.',
  'Left out: 2. The layer has no data there, or does not reach there.',
  // The matrix: all mapped as houses are such; of four mapped as trees three are.
  'Houses &amp; roads</th> <td class="s9">4</td> <td class="none">0</td>',
  '&lt;b&gt;tall&lt;/b&gt; trees</th> <td class="o5">1</td> <td class="s7">3</td>',
  '75.0 % (30.1 to 95.4)',
  'fill="#ff0000"',
  'fill="#00aa00"',
];
