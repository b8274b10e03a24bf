/** The fake Netlify in a process of its own, so that its work is not measured. It prints DeployApiChild as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeployApi } from '../publish/deploy-api.ts';
import { endWithInput, report } from './child.ts';

/** Its work so far. */
export interface DeployApiCounts {
  /** Milliseconds with at least one request in work. */
  busy: number;
  uploads: number;
  offences: readonly string[];
}

export interface DeployApiChild {
  account: { api: string; site: string; token: string };
  /** Address of DeployApiCounts. */
  counts: string;
}

const api = await DeployApi.start();
const counts = createServer((_request, response) => {
  const { busy, uploads, offences } = api;
  response.end(JSON.stringify({ busy, uploads: uploads.length, offences } satisfies DeployApiCounts));
});
counts.listen(0, '127.0.0.1', () => {
  const address = `http://127.0.0.1:${(counts.address() as AddressInfo).port}/`;
  report({ account: api.account, counts: address } satisfies DeployApiChild);
});
endWithInput();
