/** How a client's requests reach whoever answers them. */

export interface ClientRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** Without the leading `?`; empty for none. */
  queryString: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Whether a key is needed. */
  secured: boolean;
  signal?: AbortSignal | undefined;
}

export interface ClientAnswer {
  status: number;
  /** @param name in any case */
  header(name: string): string | null;
  text(): Promise<string>;
}

/** Sends one request. Rejects where no answer came. */
export type Transport = (request: ClientRequest) => Promise<ClientAnswer>;
