/** Expected documents of the six record pages; undefined if there is no such record. */
import type { Nomination } from '../../api/contract/resources.ts';
import type { View } from './view.ts';

/** The document of `/api/{resource}/{id}`; ids count only in their canonical spelling. */
export function recordPage(view: View, resource: string, spelling: string): object | undefined {
  if (!/^[1-9][0-9]*$/.test(spelling)) return undefined;
  const id = Number(spelling);
  // 9007199254740993 and its like read as a neighbouring number.
  if (String(id) !== spelling) return undefined;
  switch (resource) {
    case 'nominations':
      return nominationPage(view, id);
    case 'ceremonies':
      return view.ceremonyById.get(id);
    case 'movies':
      return withNominations(view, view.movieById.get(id), (nomination) => nomination.movie_id);
    case 'nominees':
      return withNominations(view, view.nomineeById.get(id), (nomination) => nomination.nominee_id);
    case 'categories':
      return withNominations(view, view.categoryById.get(id), (nomination) => nomination.category_id);
    case 'songs':
      return withNominations(view, view.songById.get(id), (nomination) => nomination.song_id);
    default:
      return undefined;
  }
}

function withNominations(
  view: View,
  record: { id: number } | undefined,
  reference: (nomination: Nomination) => number | null,
): object | undefined {
  if (record === undefined) return undefined;
  return {
    ...record,
    nominations: view.record.nominations.filter((nomination) => reference(nomination) === record.id),
  };
}

function nominationPage(view: View, id: number): object | undefined {
  const nomination = view.record.nominations.find((candidate) => candidate.id === id);
  if (nomination === undefined) return undefined;
  const page = {
    id: nomination.id,
    ceremony_id: nomination.ceremony_id,
    ceremony_year: nomination.ceremony_year,
    category_id: nomination.category_id,
    category: view.categoryById.get(nomination.category_id)!,
    movie_id: nomination.movie_id,
    movie: view.movieById.get(nomination.movie_id)!,
    nominee_id: nomination.nominee_id,
    nominee: view.nomineeById.get(nomination.nominee_id)!,
    song_id: nomination.song_id,
    song_title: nomination.song_title,
    is_song: nomination.is_song,
    winner: nomination.winner,
    ceremony: view.ceremonyById.get(nomination.ceremony_id)!,
  };
  return nomination.song_id === null ? page : { ...page, song: view.songById.get(nomination.song_id)! };
}
