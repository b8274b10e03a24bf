/** Checks the database: whether it is there, sound and of this version, what is in it, and who may write to it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Content, Inspection } from '../../../data/inspect.ts';
import { counted, type Finding, fine, note, reasonOf, skipped, wrong } from './finding.ts';

const filling = '"awards sample" or "awards import" fills one';

/** @param loads whether the native module does */
export async function checkDatabase(
  db: string,
  out: string,
  loads: boolean,
): Promise<{ finding: Finding; content: Content | undefined }> {
  const without = (finding: Finding) => ({ finding, content: undefined });
  if (!existsSync(db)) return without(wrong('database', `there is none at ${db}`, filling));
  if (!loads) return without(skipped('database', 'it cannot be looked at without the native module'));
  const { inspectDatabase } = await import('../../../data/inspect.ts');
  try {
    const inspection = inspectDatabase(db, resolve(out));
    return { finding: judgeDatabase(db, inspection), content: inspection.content };
  } catch (error) {
    return without(
      wrong(
        'database',
        `${db} cannot be read: ${reasonOf(error)}`,
        'choose another file with --db, or restore a backup of it',
      ),
    );
  }
}

function judgeDatabase(db: string, { ours, schema, faults, content }: Inspection): Finding {
  if (faults.length > 0)
    return wrong(
      'database',
      `${db} is damaged: ${faults[0]}`,
      'restore a backup of it; "awards import" refills an empty one',
    );
  if (!ours)
    return wrong(
      'database',
      `${db} is the database of another program, or empty`,
      `choose another file with --db; ${filling}`,
    );
  if (schema.file > schema.program)
    return wrong(
      'database',
      `${db} was written by a newer version of this program (schema ${schema.file}, this one knows ${schema.program})`,
      'update the program',
    );
  if (content === undefined)
    return note(
      'database',
      `${db} is of an older version (schema ${schema.file} of ${schema.program})`,
      'any command that uses it, such as "awards build", brings it up to date',
    );
  const { counts, broken } = content;
  if (broken)
    return wrong(
      'database',
      `${db}: ${broken.table} ${broken.rowid} refers to a record of ${broken.parent} that is not there`,
      'correct it, with foreign keys enforced, or restore a backup',
    );
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (records === 0)
    return wrong('database', `${db} has no records`, '"awards sample" or "awards import" fills it');
  const found = `${db} is sound: ${counted(counts.nominations, 'nomination')}, ${counted(counts.movies, 'movie')}, ${counted(counts.nominees, 'nominee')}`;
  return fine('database', `${found} (schema ${schema.file})`);
}

export function checkKeys(content: Content | undefined, environmentKey: string | undefined): Finding {
  if (content === undefined) return skipped('keys', 'they are in the database, which cannot be used');
  const good = content.keys.filter(({ revokedAt }) => revokedAt === null).length;
  const fromEnvironment = environmentKey ? 1 : 0;
  if (good + fromEnvironment > 0)
    return fine(
      'keys',
      `${counted(good + fromEnvironment, 'key')} to write with${fromEnvironment ? ', one of them AWARDS_API_KEY' : ''}`,
    );
  return note('keys', 'nobody can write: there is no key', '"awards keys create NAME" makes one');
}
