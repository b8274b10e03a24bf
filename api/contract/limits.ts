/** Limits that the service enforces and the OpenAPI document states. */

/** Default of the read limit, per client. */
export const readsPerMinute = 100;
/** Default of the write limit, per key. */
export const writesPerMinute = 100;
/** Requests with a wrong key, per client. */
export const wrongKeysPerMinute = 10;
export const maxBodyBytes = 64 * 1024;
/** Receipts in one answer of the list. */
export const receiptsPerPage = 100;
