/** What keeps writes from being stored: a moved database, the lock of another program, a full disk. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../data/database/open.ts';
import { moveOf } from '../../data/database/place.ts';
import { DatabaseBusy, undoneTransaction } from '../../data/database/transaction.ts';
import { publicReason } from '../contract/problems.ts';
import type { storageWatch } from './storage.ts';

/** Milliseconds that a write waits for the lock of another program, and between two looks at the lock. */
const lockTimeoutMs = 250;
const lockPauseMs = 20;
/** Milliseconds for which a look at the lock is valid. Each look takes the lock. */
const lockLookMs = 1000;

/**
 * Tells whether another program has locked the database for so long that a write would be refused. All
 * callers within a second share one look.
 * @param probe waits for no lock: it would block this thread
 */
function lockWatch(probe: Connection): () => Promise<boolean> {
  const look = async () => {
    for (const patience = AbortSignal.timeout(lockTimeoutMs); ; await pause(lockPauseMs)) {
      try {
        undoneTransaction(probe, () => {});
        return false;
      } catch (error) {
        if (!(error instanceof DatabaseBusy)) throw error;
        if (patience.aborted) return true;
      }
    }
  };
  let last: Promise<boolean> | undefined;
  let end = 0;
  return () => {
    if (last === undefined || performance.now() >= end) {
      last = look();
      end = performance.now() + lockLookMs;
    }
    return last;
  };
}

/**
 * @param connection of the service
 * @param probe a connection that waits for no lock: it would block this thread
 */
export function obstacleWatch(
  connection: Connection,
  probe: Connection,
  storage: ReturnType<typeof storageWatch>,
) {
  const isLocked = lockWatch(probe);
  return {
    /** What keeps writes from being stored, or soon may, a line each. */
    async find(): Promise<string[]> {
      const move = moveOf(connection, 'writes are refused');
      const found = storage.problems();
      if (move) return [publicReason(move), ...found];
      if (await isLocked()) found.unshift('another program has locked the database: writes are refused');
      return found;
    },
  };
}
