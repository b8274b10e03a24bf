/** Ways to the other pages of a list, as links. */
import type { Pagination } from '../../../../api/read/documents.ts';
import { number } from '../format.ts';
import { usePlace } from '../navigation.ts';

export function Pager({ pagination }: { pagination: Pagination }) {
  const place = usePlace();
  const { page, totalPages } = pagination;
  if (totalPages <= 1) return null;
  const href = (to: number) => {
    const query = new URLSearchParams(place.query);
    if (to === 1) query.delete('page');
    else query.set('page', String(to));
    return query.size === 0 ? place.path : `${place.path}?${query}`;
  };
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? (
        <a class="button" rel="prev" href={href(Math.min(page - 1, totalPages))}>
          Previous
        </a>
      ) : (
        <span />
      )}
      <span>
        Page {number(page)} of {number(totalPages)}
      </span>
      {page < totalPages ? (
        <a class="button" rel="next" href={href(page + 1)}>
          Next
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
