/**
 * Codes of the system and of SQLite for a full disk, and for a quota that is used up. SQLite calls it an I/O error where the
 * memory that connections share, a file beside the database, has no room.
 */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** Whether an operation failed because there is no space left. */
export const isFullDisk = (error: unknown): boolean => codes.has((error as { code?: unknown }).code);
