/** The native module of SQLite, which an installation can lack. */
import Database from 'better-sqlite3';

const signs = /bindings file|better_sqlite3\.node|NODE_MODULE_VERSION|invalid ELF header|ERR_DLOPEN_FAILED/;

/** What installs the module, by program. */
export const nativeModuleCure =
  'npm 12: "npm install-scripts approve better-sqlite3", then "npm rebuild better-sqlite3"; pnpm: "pnpm approve-builds", then "pnpm rebuild better-sqlite3"; yarn: "built": true for better-sqlite3 in dependenciesMeta of package.json, then "yarn install"; after another version of Node: "npm rebuild better-sqlite3"';

/** One line about an error of loading the module, with the cure; undefined for other errors. */
export const nativeModuleFault = (error: unknown): string | undefined =>
  signs.test(String((error as Error | undefined)?.message))
    ? `the native module of better-sqlite3 is missing, or of another version of Node: its install script did not run. ${nativeModuleCure}`
    : undefined;

/** Why the module cannot be loaded; undefined if it can. */
export function missingNativeModule(): string | undefined {
  try {
    new Database(':memory:').close();
    return undefined;
  } catch (error) {
    const fault = nativeModuleFault(error);
    if (fault === undefined) throw error;
    return fault;
  }
}
