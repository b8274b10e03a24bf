/** The SQL alternative's only write: the title of a film, in its table and in the full-text index, durable once it is done. */
import Database from 'better-sqlite3';
import { fold, tokens } from '../../api/contract/text.ts';

interface IndexedText {
  id: number;
  nominee: string;
  category: string;
}

const words = (text: string): string => tokens(text).join(' ');

export class SqlTitles {
  readonly #change: Database.Transaction<(id: number, title: string) => boolean>;

  constructor(file: string) {
    const database = new Database(file, { fileMustExist: true });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    const current = database.prepare<[number], string>('SELECT title FROM movies WHERE id = ?').pluck();
    const update = database.prepare<[string, string, number]>(
      'UPDATE movies SET title = ?, title_folded = ? WHERE id = ?',
    );
    const indexed = database.prepare<[number], IndexedText>(
      `SELECT n.id, p.name AS nominee, c.category_name AS category FROM nominations n
       JOIN nominees p ON p.id = n.nominee_id JOIN categories c ON c.id = n.category_id WHERE n.movie_id = ?`,
    );
    // An index without content has to be told what it is to forget.
    const forget = database.prepare(
      `INSERT INTO nomination_text (nomination_text, rowid, nominee, movie, category) VALUES ('delete', ?, ?, ?, ?)`,
    );
    const index = database.prepare(
      'INSERT INTO nomination_text (rowid, nominee, movie, category) VALUES (?, ?, ?, ?)',
    );
    this.#change = database.transaction((id: number, title: string) => {
      const old = current.get(id);
      if (old === undefined) return false;
      update.run(title, fold(title), id);
      for (const { id: nomination, nominee, category } of indexed.all(id)) {
        forget.run(nomination, words(nominee), words(old), words(category));
        index.run(nomination, words(nominee), words(title), words(category));
      }
      return true;
    });
  }

  /** @returns false if there is no such film */
  change(id: number, title: string): boolean {
    return this.#change.immediate(id, title);
  }
}
