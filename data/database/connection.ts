/** A connection to a database. open.ts opens it. */
import type Database from 'better-sqlite3';

export type Connection = Database.Database;
