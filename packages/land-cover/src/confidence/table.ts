/**
 * Weights of the confidence, one row for each class 0..12. A row contains the log-odds without any evidence, then the increase of the log-odds by the
 * best margin, shape, dates and ends, and by the weaker one of margin and shape. `npm run confidence` generates this file from the four generated
 * landscapes of `e2e/worlds/settings` and published accuracies of global maps. A test generates the table again and compares. Do not edit.
 */
// oxfmt-ignore
export const WEIGHTS: readonly (readonly number[])[] = [
  [], // 0
  [1.49, 0.7, 0.74, 0.78, 1, 0.71], // 1
  [0.64, 1, 1, 1, 1, 0], // 2
  [0.64, 1, 1, 1, 1, 0], // 3
  [0.64, 1, 1, 1, 1, 0], // 4
  [], // 5
  [0.06, 1.08, 1.56, 1.32, 1, 1.06], // 6
  [-1.42, 0.88, 1.32, 1.21, 1, 0.96], // 7
  [-0.4, 1.14, 0.79, 0.82, 0.44, 0.55], // 8
  [-0.84, 0.96, 0.87, 1.39, 0.12, 0.37], // 9
  [0.42, 1.02, 0.63, 0.71, 0.27, 0.35], // 10
  [-1.28, 1.02, 0.74, 0.98, 0.29, 0.44], // 11
  [-0.91, 1.2, 0.91, 0.29, 1, 1.04], // 12
];
