import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { sampleAccuracy } from './sample-accuracy.ts';
import { stratifiedEstimate } from './stratified.ts';

/** Figures of scikit-learn for labels, and their standard deviations over samples drawn with replacement. */
const FIGURES = `
import json, sys
import numpy as np
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, precision_recall_fscore_support
given = json.load(sys.stdin)
reference, mapped = np.array(given["reference"]), np.array(given["mapped"])
codes = np.unique(np.concatenate([reference, mapped]))
def figures(r, m):
    p, c, f, _ = precision_recall_fscore_support(r, m, labels=codes, zero_division=0)
    return np.concatenate([[accuracy_score(r, m), cohen_kappa_score(r, m)], p, c, f])
dice = np.random.default_rng(7)
spread = np.std([figures(reference[i], mapped[i]) for i in dice.integers(0, reference.size, (400, reference.size))], axis=0)
print(json.dumps({"matrix": confusion_matrix(reference, mapped, labels=codes).tolist(), "figures": figures(reference, mapped).tolist(), "spread": spread.tolist()}))
`;

/** Standard deviations of areas and accuracies over samples of a population. Each row of `shares` is a stratum. */
const DRAWN = `
import json, sys
import numpy as np
given = json.load(sys.stdin)
shares, areas, counts = np.array(given["shares"]), np.array(given["areas"], float), given["counts"]
dice = np.random.default_rng(11)
weights = areas / areas.sum()
rows = np.stack([dice.multinomial(n, p, 20000) for n, p in zip(counts, shares)], axis=1)
cells = rows / np.array(counts)[None, :, None] * weights[None, :, None]
diagonal = np.diagonal(cells, axis1=1, axis2=2)
areas_of, overall, recall = cells.sum(1), diagonal.sum(1), diagonal / cells.sum(1)
print(json.dumps({"areas": (areas_of.std(0) * areas.sum()).tolist(), "overall": overall.std(), "recall": recall.std(0).tolist()}))
`;

const peers = findPeers({ modules: ['numpy', 'sklearn'] });
if ('reason' in peers) console.warn(`accuracies compared with scikit-learn's: skipped, ${peers.reason}`);

function ask(script: string, given: unknown): unknown {
  const python = 'python' in peers ? peers.python : '';
  const input = JSON.stringify(given);
  const made = spawnSync(python, ['-c', script], { input, env: peerEnvironment(), encoding: 'utf8' });
  expect(made.stderr).toBe('');
  return JSON.parse(made.stdout);
}

function labels(count: number): { readonly reference: number[]; readonly mapped: number[] } {
  let state = 12_345;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const reference = Array.from({ length: count }, () => [1, 1, 1, 2, 2, 6, 12, 12][next(8)] ?? 1);
  return { reference, mapped: reference.map((code) => (next(3) < 2 ? code : ([1, 2, 6, 12, 9][next(5)] ?? 1))) };
}

interface Sklearn {
  readonly matrix: readonly (readonly number[])[];
  readonly figures: readonly number[];
  readonly spread: readonly number[];
}

describe.skipIf('reason' in peers)('accuracies, compared with the results of scikit-learn and NumPy', () => {
  it('are equal, and their standard errors equal the deviation over samples that are drawn with replacement', () => {
    const given = labels(1500);
    const theirs = ask(FIGURES, given) as Sklearn;
    const matrix = new ConfusionMatrix();
    matrix.addPixels(Uint8Array.from(given.reference), Uint8Array.from(given.mapped));
    const { overall, kappa, classes } = sampleAccuracy(matrix);
    expect(matrix.classes.map((r) => matrix.classes.map((m) => matrix.count(r, m)))).toEqual(theirs.matrix);
    const ours = [
      overall,
      kappa,
      ...classes.map(({ precision }) => precision),
      ...classes.map(({ recall }) => recall),
      ...classes.map(({ f1 }) => f1),
    ];
    for (const [i, estimate] of ours.entries()) {
      // Our recall is null for a class that never occurs in the reference, but 0 in scikit-learn.
      if (estimate === null) continue;
      expect(estimate.value).toBeCloseTo(theirs.figures[i] ?? Number.NaN, 12);
      // The deviation of 400 samples has a standard error of about 4 %.
      if (estimate.standardError > 0) expect((theirs.spread[i] ?? 0) / estimate.standardError).toBeCloseTo(1, 0.7);
    }
    expect(ours.filter((estimate) => estimate === null)).toHaveLength(1);
  });

  it('of a stratified sample have standard errors that equal the deviation over 20,000 such samples', () => {
    const shares = [
      [0.88, 0, 0.07, 0.05],
      [0, 0.73, 0.11, 0.16],
      [0.02, 0.01, 0.91, 0.06],
      [0.02, 0.01, 0.03, 0.94],
    ];
    const [areas, counts] = [
      [200_000, 150_000, 3_200_000, 6_450_000],
      [400, 400, 800, 1600],
    ];
    const drawn = ask(DRAWN, { shares, areas, counts }) as { areas: number[]; overall: number; recall: number[] };
    const matrix = new ConfusionMatrix();
    shares.forEach((row, m) => row.forEach((share, r) => matrix.add(r, m, share * (counts[m] ?? 0))));
    const estimate = stratifiedEstimate(matrix, new Map(areas.entries()));
    const near = (error: number | undefined, spread: number | undefined): void =>
      expect((error ?? 0) / (spread ?? Number.NaN)).toBeCloseTo(1, 1.2);
    near(estimate?.overall.standardError, drawn.overall);
    estimate?.classes.forEach(({ area, recall }, i) => {
      near(area.standardError, drawn.areas[i]);
      near(recall?.standardError, drawn.recall[i]);
    });
    expect(estimate?.classes).toHaveLength(4);
  });
});
