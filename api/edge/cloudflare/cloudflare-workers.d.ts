/** What the worker uses of its runtime. */
declare module 'cloudflare:workers' {
  export const env: {
    ASSETS: { fetch: typeof fetch };
    AWARDS_ORIGIN?: string;
    WRITE_ORIGIN?: string;
    WRITE_SECRET?: string;
  };
}
