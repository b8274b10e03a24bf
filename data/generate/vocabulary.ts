/**
 * The words of generated texts. Common words are listed, rare ones are composed of syllables, so that the vocabulary grows
 * with the number of records, but more slowly.
 */
import type { Random } from './random.ts';

export const words = (list: string) => list.trim().split(/\s+/);

const nouns = words(`
  Night River House Love City King Man Woman Garden Road Summer Winter Story Dream Window Song Letter Train Island War
  Heart Moon Shadow Mountain Bridge Daughter Brother Stranger Harbour Mirror Horse Lantern Orchard Kitchen Soldier Queen
  Ocean Fire Rain Secret Morning Sparrow Tower Carnival Piano Desert Promise Journey Widow Lighthouse Circus Thief Wolf
  Clock Station Village Angel Factory Sister Forest Ghost Candle Harvest Captain Kingdom Staircase Cathedral Comet Diary
  Emperor Feather Glacier Hunter Inn Jungle Knife Labyrinth Meadow Nightingale Oracle Parade Quarry Rooftop Sailor Tango
  Umbrella Valley Waltz Yard Zephyr Alibi Ballad Cabaret Detective Echo Fortune Gambler Horizon Interval Judge Kite Lullaby
  Masquerade Neighbour Orphan Passenger Quarrel Rendezvous Silence Tempest Uncle Voyage Whisper Crossing Tide Balcony`);

const adjectives = words(`
  Last Great Little Lost Long Dark Silent Golden Secret Broken Wild Young Old New First White Black Red Blue Green Lonely
  Beautiful Distant Hidden Crooked Burning Frozen Second Quiet Bitter Sweet Strange Empty Endless Forgotten Perfect Honest
  Invisible Restless Scarlet Tender Velvet Wandering Naïve Unfinished Impossible Ordinary Sudden Reckless Electric`);

const places = words(`
  Lisbon Reykjavík Kraków Malmö Ålesund Łódź İzmir Şile Zürich Québec Bogotá Córdoba Nürnberg Århus Galway Naples Osaka
  Marseille Valparaíso Tromsø Győr Timișoara Plzeň Košice Huế Montréal Savannah Dakar Tunis Odessa Riga Vilnius Cádiz
  Besançon Gießen Sankt-Florian Winnipeg Hobart Mombasa Jaipur Manila`);

const countries = words(`
  Portugal Iceland Poland Sweden Norway Türkiye Canada Germany Ireland Italy Japan France
  Chile Hungary Romania Czechia Slovakia Senegal Tunisia Latvia Lithuania Spain Kenya India Australia Mexico`);

const firstNames = words(`
  Anna John Maria James Élodie Robert José William Zoë David Søren Helen Łucja Thomas Åsa George Işıl Charles François
  Walter Núria Edith Jürgen Frank Siân Alan Małgorzata Paul Inês Hans Ngọc Richard Đorđe Irene Ólafur Harold Chloé Arthur
  Nuño Clara Björk Martin Ágnes Peter Žofia Samuel René Joan Günther Ruth Mária Victor Şebnem Leo Anaïs Albert Yūko Max
  Renée Henry Beyoncé-Ann Milan Þóra Otto Špela Rita Ömer Grace Jean-Luc Ada Mary-Kate Ivo Ève Karl Ümit Nora Ramón Ella
  Dag Lívia Hugo Tomáš Vera Aurélien Ida Władysław Jonas Estelle Ole Nadia Emre Sofía Bernhard Lena Cătălin Mei Kwame Amara`);

const surnames = words(`
  Harper Nielsen Álvarez Novak Fletcher Moreau Schäfer Lindqvist Ortega Whitaker Szabó Castellano Ødegård Kowalczyk Yıldız
  Brandt Okafor Tanaka Marchetti Nuñez Grünberg Hartley Świątek Petrov Delacroix Åkesson Ferreira Großmann Kelemen Doyle
  Lefèvre Dvořák Mbeki Sandoval Ibáñez Sørensen Pruitt Çelik Halvorsen Beaumont Straße Nguyễn Papadakis Weiß Rasmussen
  Bárány Lockwood Þorsteinsson Gómez Renner Vasquez Bălan Thackeray Ōshima Krüger Winslow Šimić Abernathy Gonçalves Möller`);

const beginnings = words(`
  Al An Ar As Bal Ban Bel Ber Bor Bran Bri Bru Cal Can Car Cas Cel Cor Cra Dal Dan Del Der Dor Dra Dun El Em Er Es Fal Fan
  Fel Fer Fin Flo Gal Gar Gel Ger Gor Gra Hal Han Hel Her Hol Il In Ir Is Jan Jar Jel Jor Kal Kan Kar Kel Kor Lan Lar Lem
  Lin Lor Mal Man Mar Mel Mer Mir Mon Mor Nal Nar Nel Nor Ol Or Os Pal Par Pel Per Pol Por Quin Ral Ran Rel Ron Sal San
  Sel Ser Sil Sol Stan Tal Tan Tar Tel Tor Ul Um Val Van Ver Vil Vol Wal War Wil Yar Yel Zan Zel Zor
  Ål Ás Bø Ço Dé Él Fü Gö Hå Íl İn Jó Ké Łu Mâ Ñu Ör Pří Ré Şen Tě Ús Vø Wü Ýr Žel Ða Þor Ơn Șil`);

const middles = words(`
  a e i o u an ar el en er il in ir on or um ad ag al am at av ec ed eg em ev ib ic id ig im is it iv ob od og ol om os ov
  ub ud ul un ur us é ö ü ä å ï ñe ça łu ši ğa øn`);

const endings = words(`
  ba bel berg by da dal den dor dra fi fin ga gen go ha han ka ken kin la lan le len lin lo lov ma man mar mi mon na nan ne
  ner nes ni no nor ra ran re ren ri rin ro ron sa sen shi si son sta stein ta tan te ten ter ti to ton tra va van ve ver vi
  vich well wen win ya yan za zen zo zy ström gård ñez łek ček ßen çois lâ né ğlu țu rí hø dż`);

/** The invented word of a number. Few numbers share a word. */
function inventedWord(number: number): string {
  const beginning = beginnings[number % beginnings.length]!;
  let rest = Math.floor(number / beginnings.length);
  const ending = endings[rest % endings.length]!;
  rest = Math.floor(rest / endings.length);
  return beginning + (rest === 0 ? '' : middles[(rest - 1) % middles.length]!) + ending;
}

/** A listed word or, for a high rank, an invented one. */
function ranked(random: Random, list: readonly string[], levels: number, spacing: number): string {
  const rank = random.rank(levels);
  return list[rank] ?? inventedWord(rank * spacing);
}

const wordClasses: Readonly<Record<string, (random: Random) => string>> = {
  noun: (random) => ranked(random, nouns, 16, 1),
  adjective: (random) => ranked(random, adjectives, 8, 7),
  firstName: (random) => ranked(random, firstNames, 8, 11),
  surname: (random) => ranked(random, surnames, 16, 5),
  place: (random) => random.pick(places),
  country: (random) => random.pick(countries),
};

/**
 * Replaces the slots of a pattern, from left to right: `{noun}` by a word of that class, `{1..9}` by a number, `{a|b}` by one
 * of the alternatives, `{same}` by the text of the slot before.
 */
export function fill(random: Random, pattern: string): string {
  let previous = '';
  return pattern.replace(/\{(.+?)\}/g, (_, slot: string) => {
    const range = /^(\d+)\.\.(\d+)$/.exec(slot);
    if (range) previous = String(random.between(Number(range[1]), Number(range[2])));
    else if (slot !== 'same') previous = wordClasses[slot]?.(random) ?? random.pick(slot.split('|'));
    return previous;
  });
}

/**
 * A filled pattern in one of the two Unicode spellings: é as one character (NFC) or, one time in six, as e and a combining
 * accent (NFD).
 */
export function compose(random: Random, pattern: string): string {
  const text = fill(random, pattern);
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text.normalize(random.oneIn(6) ? 'NFD' : 'NFC');
}
