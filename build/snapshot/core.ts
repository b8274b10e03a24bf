/** The columns of ceremonies and categories in the shard of "core". */
import type { ResourceName } from '../../api/contract/names.ts';
import type { CoreShard } from '../../api/contract/snapshot.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, type StoredRecordOf } from '../../data/records.ts';

export function coreColumns(connection: Connection): Omit<CoreShard, 'ids'> {
  const all = <R extends ResourceName, F extends keyof StoredRecordOf[R] & string>(
    resource: R,
    fields: readonly F[],
  ) => columnsBetween(connection, resource, fields, 0, Number.POSITIVE_INFINITY);
  const { ceremony_year, show_title, date, movies_eligible } = all('ceremonies', [
    'ceremony_year',
    'show_title',
    'date',
    'movies_eligible',
  ]);
  const { category_name, category_group } = all('categories', ['category_name', 'category_group']);
  return {
    ceremonies: { year: ceremony_year, show_title, date, movies_eligible },
    categories: { name: category_name, group: category_group },
  };
}
