/** A signed-in client of a running server. */
export interface Client {
  readonly token: string;
  readonly baseUrl: string;
  get<T>(path: string): Promise<{ readonly status: number; readonly body: T }>;
  post<T>(path: string, body: unknown): Promise<{ readonly status: number; readonly body: T }>;
}

/** Signs in and returns a client; throws an error with the response text if the sign-in fails. */
export async function signIn(baseUrl: string, username: string, password: string): Promise<Client> {
  const answer = await fetch(`${baseUrl}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (answer.status !== 200) throw new Error(`login responded ${answer.status}: ${await answer.text()}`);
  const { access } = (await answer.json()) as { access: string };
  return clientOf(baseUrl, access);
}

/** Creates a client with an existing access token, for example from before a restart. */
export function clientOf(baseUrl: string, access: string): Client {
  const send = async <T>(path: string, init: RequestInit): Promise<{ status: number; body: T }> => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as T };
  };
  return {
    token: access,
    baseUrl,
    get: (path) => send(path, {}),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
