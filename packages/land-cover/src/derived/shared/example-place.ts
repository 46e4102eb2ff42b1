/** The place of the conformance suites, for examples of requests. */
export const EXAMPLE_PLACE = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  eoAccountId: 1,
} as const;
