/** Root of the interface that clients of the live system call. */
const API = '/api/v1';

/** Paths that answers and sentences name, from the root of the service. */
export const paths = {
  eoAccounts: `${API}/eoaccounts/`,
  runs: `${API}/runs/`,
  run: (id: string): string => `${API}/runs/${id}/`,
  runPart: (id: string, part: 'log' | 'events' | 'cancel'): string => `${API}/runs/${id}/${part}/`,
  openApi: `${API}/openapi.json`,
  docs: '/docs/',
} as const;
