/** The names by which a category is known besides its own: earlier ones, and those that people use. */
import { tokens } from './text.ts';

/**
 * Category → its names as words. categoryNamed() adds plurals, "best", "movie" for "film", and the group
 * before those of Music and Writing.
 */
export const categoryNames: Readonly<Record<string, readonly string[]>> = {
  'Best Picture': [
    'best picture',
    'best film',
    'best motion picture',
    'best motion picture of the year',
    'outstanding picture',
    'outstanding motion picture',
    'outstanding production',
    'unique and artistic picture',
  ],
  'Actor in a Leading Role': ['leading actor', 'lead actor', 'actor in a leading role', 'actor'],
  'Actress in a Leading Role': ['leading actress', 'lead actress', 'actress in a leading role', 'actress'],
  'Actor in a Supporting Role': ['supporting actor', 'actor in a supporting role'],
  'Actress in a Supporting Role': ['supporting actress', 'actress in a supporting role'],
  'Assistant Director': ['assistant director'],
  'Dance Direction': ['dance direction'],
  Directing: [
    'direction',
    'directing',
    'director',
    'directed',
    'directing comedy picture',
    'directing dramatic picture',
  ],
  'Writing (Adapted Screenplay)': [
    'adapted screenplay',
    'screenplay adaptation',
    // "screenplay" alone is that of today; this category had the longer name.
    'writing screenplay',
    'writing adaptation',
    'screenplay adapted',
    'screenplay adapted from other material',
    'screenplay based on material from another medium',
    'screenplay based on material previously produced or published',
  ],
  'Writing (Original Screenplay)': [
    'original screenplay',
    'screenplay original',
    'screenplay written directly for the screen',
    'story and screenplay',
    'story and screenplay written directly for the screen',
    'story and screenplay based on material not previously published or produced',
    'story and screenplay based on factual material or material not previously published or produced',
    'screenplay written directly for the screen based on factual material or on story material not previously published or produced',
    'screenplay',
    'writer',
    'writing',
  ],
  'Writing (Original Story)': [
    'best story',
    'motion picture story',
    'original motion picture story',
    'original story',
  ],
  'Writing (Title Writing)': ['title writing'],
  Cinematography: [
    'cinematography',
    'cinematographer',
    'director of photography',
    'best photography',
    'camera',
    'cinematography black and white',
    'cinematography color',
  ],
  'Film Editing': ['film editing', 'editing', 'film editor', 'editor'],
  'Production Design': [
    'production design',
    'production designer',
    'art direction',
    'art director',
    'art direction black and white',
    'art direction color',
    'set decoration',
    'set decorator',
    'set design',
    'set designer',
  ],
  'Costume Design': [
    'costume design',
    'costume',
    'costume designer',
    'costume design black and white',
    'costume design color',
  ],
  'Makeup and Hairstyling': [
    'makeup and hairstyling',
    'make up and hairstyling',
    'makeup',
    'best make up',
    'makeup artist',
    'make up artist',
    'hairstyling',
    'hair and makeup',
    'hair and make up',
  ],
  Sound: ['sound', 'sound mixing', 'mixing', 'sound mixer', 'sound recording'],
  'Sound Editing': ['sound editing', 'sound editor', 'sound effects', 'sound effects editing'],
  'Visual Effects': [
    'visual effects',
    'special effects',
    'special visual effects',
    'engineering effects',
    'vfx',
  ],
  'Music (Original Score)': [
    'original score',
    'score',
    'film music',
    'best music',
    'music score',
    'original music',
    'original music score',
    'dramatic score',
    'original dramatic score',
    'music score of a dramatic picture',
    'music score of a dramatic or comedy picture',
    'music score substantially original',
    'original score for a motion picture not a musical',
    'composer',
    'soundtrack',
    'original soundtrack',
  ],
  'Music (Original Song)': ['original song', 'song', 'song original for the picture'],
  'Music (Original Song Score or Adaptation Score)': [
    'original song score',
    'adaptation score',
    'original song score or adaptation score',
    'scoring',
    'scoring of a musical picture',
    'scoring of music adaptation or treatment',
    'scoring adaptation and original song score',
    'scoring original song score and adaptation or scoring adaptation',
    'score of a musical picture original or adaptation',
    'original song score and its adaptation or adaptation score',
    'original musical or comedy score',
  ],
  'International Feature Film': [
    'foreign language film',
    'foreign film',
    'best foreign',
    'foreign picture',
    'international feature film',
    'international feature',
    'international film',
    'foreign language',
    'honorary foreign language film award',
  ],
  'Animated Feature Film': ['animated feature film', 'animated feature', 'animated film', 'animation'],
  'Documentary Feature Film': [
    'documentary feature film',
    'documentary feature',
    'documentary',
    'documentaries',
    'best doc',
  ],
  'Documentary Short Film': [
    'documentary short film',
    'documentary short',
    'documentary short subject',
    'doc short',
    'short documentary',
  ],
  'Animated Short Film': [
    'animated short film',
    'animated short',
    'short animation',
    'short subject cartoon',
    'short subject animated',
    'short film animated',
    'cartoon',
  ],
  'Live Action Short Film': [
    'live action short film',
    'live action short',
    'short film',
    'short subject',
    'short subject one reel',
    'short subject two reel',
    'short subject color',
    'short subject comedy',
    'short subject novelty',
    'short subject live action',
    'short film live action',
    'short film dramatic live action',
    'best short',
  ],
  Casting: ['casting'],
};

/** "score" → "scores". */
const plural = (name: string): string => name + (name.endsWith('s') ? 'es' : 's');

/** Name, as words → category. Of two categories with a name, the first counts. */
function allNames(): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [category, names] of Object.entries(categoryNames)) {
    // "Writing (Original Story)" is "original story" and "writing original story".
    const group = /^(music|writing) /.exec(category.toLowerCase())?.[0] ?? '';
    for (const name of names)
      for (const own of [name, plural(name), group + name, group + plural(name)])
        if (!all.has(own)) all.set(own, category);
  }
  return all;
}

let known: ReadonlyMap<string, string> | undefined;

/**
 * The category that has this name as a whole; case, accents and punctuation do not count. Undefined for any
 * other text.
 */
export function categoryNamed(text: string): string | undefined {
  known ??= allNames();
  const words = tokens(text).join(' ').replace('movie', 'film');
  return known.get(words) ?? known.get(words.replace(/^best /, ''));
}
