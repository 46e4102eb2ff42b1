/** Name of the pipeline that does nothing. */
export const TRIVIAL = 'bench_nothing';
