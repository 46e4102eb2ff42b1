export { barText, createProgressBar, type Notes, type ProgressBar, type Showing } from './progress-bar.ts';
export { createTerminal, type Output, type Terminal } from './terminal.ts';
