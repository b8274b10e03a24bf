/** The years of films: they are a fact of the ceremony that honored them first. */

/** What a ceremony tells of the years of its films. */
interface CeremonyYears {
  ceremony_year: number;
  /** As the source writes them: "2020", "1927/28". Null: the year before the ceremony. */
  film_years: string | null;
}

export interface FilmYear {
  /** The last of the years. */
  film_year: number;
  /** As the source writes them. */
  film_years: string;
}

/** The years of the films of a ceremony. */
export function filmYearOf({ ceremony_year, film_years }: CeremonyYears): FilmYear {
  const years = film_years ?? String(ceremony_year - 1).padStart(4, '0');
  return { film_year: yearsIn(years)[1], film_years: years };
}

/** The first and the last of film years: 1927 and 1928 of "1927/28". */
export function yearsIn(filmYears: string): readonly [first: number, last: number] {
  const [first = '', second] = filmYears.split('/');
  const year = Number(first);
  // 1899/00 ends in 1900.
  return [year, second === undefined ? year : year + ((((Number(second) - year) % 100) + 100) % 100)];
}
