/**
 * Looks at everything the service needs and says of each what is right, what is not, and what to do next. Changes nothing, and
 * works as far as it can where much is broken: what may not load is loaded when it is its turn.
 */
import type { Finding } from './finding.ts';
import { checkNativeModule, checkNode, checkPort, checkSpace } from './machine.ts';
import { checkDatabase, checkKeys } from './record.ts';
import { checkLayers, checkSnapshot } from './snapshot.ts';

export interface Patient {
  db: string;
  out: string;
  port: number;
  host: string;
  environmentKey: string | undefined;
}

export async function examine({ db, out, port, host, environmentKey }: Patient): Promise<Finding[]> {
  const native = await checkNativeModule();
  const database = await checkDatabase(db, out, native.state === 'fine');
  const snapshot = checkSnapshot(out, database.content);
  return [
    checkNode(),
    native,
    database.finding,
    snapshot.finding,
    ...checkLayers(out, snapshot.snapshot),
    checkSpace(out),
    await checkPort(port, host),
    checkKeys(database.content, environmentKey),
  ];
}
