/** The stand-in for Netlify in a process of its own, so that its work is not counted as ours; prints what to know as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeployApi } from '../publish/deploy-api.ts';
import { endWithInput, report } from './child.ts';

/** What it has been asked for so far. */
export interface Asked {
  /** Milliseconds in which an answer was being made. */
  busy: number;
  uploads: number;
  offences: readonly string[];
}

export interface DeployApiChild {
  account: { api: string; site: string; token: string };
  /** Address of Asked. */
  asked: string;
}

const api = await DeployApi.start();
const counts = createServer((_request, response) => {
  const { busy, uploads, offences } = api;
  response.end(JSON.stringify({ busy, uploads: uploads.length, offences } satisfies Asked));
});
counts.listen(0, '127.0.0.1', () => {
  const asked = `http://127.0.0.1:${(counts.address() as AddressInfo).port}/`;
  report({ account: api.account, asked } satisfies DeployApiChild);
});
endWithInput();
