/** Limits that the service enforces and the OpenAPI document states. */

/** Default of the read limit, per client. */
export const readsPerMinute = 100;
/** Files and pages that a client may read for each read of the API: the site loads dozens of them. */
export const filesPerRead = 10;
/** How many of these may be pages with a search. A person who types fast stays below the limit. */
export const searchesPerRead = 3;
/**
 * An export (format=csv or format=ndjson) counts as this many reads: it has all matching records, and takes
 * about as long.
 */
export const readsPerExport = 8;
/** Different words of one search: each is looked up. */
export const maxSearchWords = 16;
/** Default of the write limit, per key. */
export const writesPerMinute = 100;
/** Requests with a wrong key, per client. */
export const wrongKeysPerMinute = 10;
export const maxBodyBytes = 64 * 1024;
/** The nominations of a night, with their new films and people, are one batch. */
export const maxBatchWrites = 1000;
export const maxBatchBytes = 512 * 1024;
/** Writes of a batch that count as one write: they share a transaction and a build. */
export const batchWritesPerWrite = 10;
/** Characters of the note of a write. */
export const maxNoteLength = 1000;
/** Default of `limit` in the list of receipts. */
export const receiptsPerPage = 100;
/**
 * Publishes in one answer of the changes. Each may be a file, and a Worker of Cloudflare's free plan reads
 * 50: besides these the manifest, and the index twice.
 */
export const publishesPerAnswer = 40;
/**
 * Records in one answer of the changes, about half a megabyte. A publish with more has an answer of its own.
 */
export const changedRecordsPerAnswer = 2000;
/**
 * Clients whose requests are counted at the same time. More clients push out those that were silent longest.
 */
export const countedClients = 100_000;
/** Open connections. A new one beyond it is closed. */
export const maxConnections = 10_000;

/** Writes and batches that wait for the writer at a time; each has at most `maxBodyBytes`. */
export const maxWaitingWrites = 1000;
