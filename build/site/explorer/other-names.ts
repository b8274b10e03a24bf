/**
 * Other names of films and people: original titles, short forms and nicknames. A line has the title or the
 * name on record, or an IMDb id where another record has the same title, and the other names.
 */
import { editDistance, maxEditsOf } from '../../../api/contract/nearest.ts';
import { tokens } from '../../../api/contract/text.ts';

const table = `
A Cat in Paris: une vie de chat
A Fantastic Woman: una mujer fantastica
A Man and a Woman: un homme et une femme
A Man Called Ove: en man som heter ove
A Prophet: un prophete
A Royal Affair: en kongelig affaere
A Separation: jodaeiye nader az simin, nader and simin
Adrien Brody: adrian brody
Alec Guinness: sir alec guinness
Alejandro G. Iñárritu: alejandro gonzalez inarritu
Alfred Hitchcock: hitch
All about My Mother: todo sobre mi madre
All Quiet on the Western Front: im westen nichts neues
Amélie: le fabuleux destin d'amelie poulain
Anatomy of a Fall: anatomie d une chute
Ang Lee: ang li
Angela Lansbury: dame angela lansbury
Another Round: druk
Anthony Hopkins: sir anthony hopkins
Antonia's Line: antonia
As It Is in Heaven: sa som i himmelen
Autumn Sonata: hostsonaten
Avatar: Fire and Ash: avatar 3
Avatar: The Way of Water: avatar 2
Babette's Feast: babettes gaestebud
Back to the Future: bttf
Barbra Streisand: babs, barbara streisand
Ben Kingsley: sir ben kingsley
Bernardo Bertolucci: bertolucci
Better Days: shaonian de ni
Betty Blue: 37 2 le matin
Beyond Silence: jenseits der stille
Bitter Rice: riso amaro
Black and White in Color: la victoire en chantant
Black Orpheus: orfeu negro
Black Panther: wakanda
BlacKkKlansman: black klansman
Borat Subsequent Moviefilm: Delivery of Prodigious Bribe to American Regime for Make Benefit Once Glorious Nation of Kazakhstan: borat 2
Boy and the World: o menino e o mundo
Brendan Fraser: brendan frasier
Burnt by the Sun: utomlyonnye solntsem
Capernaum: capharnaum
Carol Reed: sir carol reed
Central Station: central do brasil
Character: karakter
Cher: cherilyn sarkisian
Chico & Rita: chico and rita
Children of Heaven: bacheha ye aseman
Christoph Waltz: christoph walz
Christopher Nolan: chris nolan
Cillian Murphy: killian murphy
Cinema Paradiso: nuovo cinema paradiso
City of God: cidade de deus
Closely Watched Trains: ostre sledovane vlaky
Cold War: zimna wojna
Corpus Christi: boze cialo
Cries and Whispers: viskningar och rop
Crouching Tiger, Hidden Dragon: wo hu cang long
Cuba Gooding Jr.: cuba gooding
Curse of the Golden Flower: man cheng jin dai huang jin jia
Damien Chazelle: damian chazelle
Daniel Day-Lewis: ddl
Daniel Kwan: daniels, the daniels
David Lean: sir david lean
Day for Night: la nuit americaine
Death in Venice: morte a venezia
Departures: okuribito
Dersu Uzala: derusu uzara
Diane Keaton: diane hall
Divided We Fall: musime si pomahat
Divorce--Italian Style: divorzio all italiana
Downfall: der untergang
Drive My Car: doraibu mai ka
E.T. The Extra-Terrestrial: e.t., et, et the extra terrestrial
East-West: est ouest
Eat Drink Man Woman: yin shi nan nu
Elizabeth Taylor: liz taylor
Elliot Page: ellen page
Elton John: reginald dwight, sir elton john
Embrace of the Serpent: el abrazo de la serpiente
Eminem: marshall mathers, slim shady
Emma Stone: emily jean stone
Emma Thompson: dame emma thompson
Emmanuel Lubezki: chivo, emmanuel chivo lubezki
Entre Nous: coup de foudre
Ernest & Celestine: ernest et celestine
Eternal Sunshine of the Spotless Mind: eternal sunshine
Everybody Famous!: iedereen beroemd
Everything Everywhere All at Once: eeaao
Face to Face: ansikte mot ansikte
Fanny & Alexander: fanny och alexander
Farewell My Concubine: ba wang bie ji
Federico Fellini's 8-1/2: otto e mezzo
Fellini Satyricon: satyricon
Flow: straume
Forbidden Games: jeux interdits
Ford v Ferrari: le mans 66
Frances McDormand: fran mcdormand
Francis Ford Coppola: ffc, francis coppola
Gate of Hell: jigokumon
Get Out Your Handkerchiefs: preparez vos mouchoirs
Glass Onion: A Knives Out Mystery: glass onion, knives out 2
Godzilla Minus One: gojira, gojira minus one
Grand Illusion: la grande illusion
Gregory Peck: greg peck
Guardians of the Galaxy: gotg
Guillermo del Toro: gdt
Harp of Burma: biruma no tategoto, the burmese harp
Harry Potter and the Sorcerer's Stone: harry potter 1, philosopher's stone
Helen Mirren: dame helen mirren
Hero: ying xiong
Honeyland: medena zemja
House of Flying Daggers: shi mian mai fu
Howl's Moving Castle: hauru no ugoku shiro
Humphrey Bogart: bogie
I Lost My Body: j'ai perdu mon corps
I'm Still Here: ainda estou aqui
Ian McKellen: sir ian mckellen
In a Better World: haevnen
Investigation of a Citizen above Suspicion: indagine su un cittadino al di sopra di ogni sospetto
J.K. Simmons: jk simmons
Jack Lemmon: jack lemon
James Cagney: jimmy cagney
James Cameron: jim cameron
James Stewart: jimmy stewart
Jamie Lee Curtis: jlc
Jennifer Lawrence: j law, jlaw
Joaquin Phoenix: leaf phoenix
John Gielgud: sir john gielgud
John Mills: sir john mills
John Wayne: duke wayne, the duke
Journey of Hope: reise der hoffnung
Ju Dou: judou
Judi Dench: dame judi dench
Julie Andrews: dame julie andrews
Juliet of the Spirits: giulietta degli spiriti
Katharine Hepburn: kate hepburn
Ke Huy Quan: jonathan ke quan
Kenneth Branagh: sir kenneth branagh
Killers of the Flower Moon: kotfm
Knife in the Water: noz w wodzie
Kolya: kolja
Kristin Scott Thomas: dame kristin scott thomas
Kwaidan: kaidan
La Dolce Vita: the sweet life
La Vie en Rose: la mome
Lady Gaga: stefani germanotta, stefani joanne germanotta
Lagaan: lagaan once upon a time in india
Land of Mine: under sandet
Last Year at Marienbad: l'annee derniere a marienbad
Laurence Olivier: larry olivier, sir laurence olivier
Leonardo DiCaprio: leo, leo dicaprio
Leviathan: leviafan
Life Is Beautiful: la vita e bella
Liza Minnelli: liza minelli
Loveless: nelyubov
Loves of a Blonde: lasky jedne plavovlasky
Mad Max: Fury Road: fury road, mad max 4
Maggie Smith: dame maggie smith
Mahershala Ali: mahershalalhashbaz ali
Man of Iron: czlowiek z zelaza
Margot Robbie: margo robbie
Marriage Italian Style: matrimonio all italiana
Martin Scorsese: marty scorsese
Meryl Streep: mary louise streep
Michael Caine: maurice micklewhite, sir michael caine
Michelle Yeoh: michelle yeo
Mirai: mirai no mirai
Mission: Impossible - Dead Reckoning Part One: mission impossible 7
Mo'Nique: mo nique
Moscow Does Not Believe in Tears: moskva slezam ne verit
Mother India: bharat mata
Mr. Hulot's Holiday: les vacances de m hulot
My Life as a Dog: mitt liv som hund
My Life as a Zucchini: ma vie de courgette
My Night at Maud's: ma nuit chez maud
My Sweet Little Village: vesnicko ma strediskova
My Uncle: mon oncle
Never Look Away: werk ohne autor
No Country for Old Men: ncfom
No Man's Land: no man's land
Nowhere in Africa: nirgendwo in afrika
On Body and Soul: testrol es lelekrol
Once upon a Time...in Hollywood: ouatih
One Battle after Another: obaa, ootwo
One Flew over the Cuckoo's Nest: cuckoo's nest
Open City: roma citta aperta, rome open city
Pain and Glory: dolor y gloria
Pan's Labyrinth: el laberinto del fauno
Parasite: gisaengchung
Paul McCartney: macca, sir paul mccartney
Paul Thomas Anderson: pta
Pelle the Conqueror: pelle erobreren
Peter Ustinov: sir peter ustinov
Philip Seymour Hoffman: phil seymour hoffman, psh
Pirates of the Caribbean: Dead Man's Chest: pirates of the caribbean 2
Pirates of the Caribbean: The Curse of the Black Pearl: pirates of the caribbean 1, potc
Precious: Based on the Novel 'Push' by Sapphire: precious
Quentin Tarantino: qt
Raiders of the Lost Ark: indiana jones 1
Raise the Red Lantern: da hong denglong gaogao gua
Raven's End: kvarteret korpen
Red: three colors red, trois couleurs rouge
Return of the Jedi: star wars 6
Richard Attenborough: lord attenborough, sir richard attenborough
Ridley Scott: sir ridley scott
Robert De Niro: bob de niro, bobby de niro
Robert Downey Jr.: rdj
Robert Zemeckis: bob zemeckis
Rogue One: A Star Wars Story: rogue one
RRR: naatu naatu
Samuel L. Jackson: sam jackson
Samurai, The Legend of Musashi: miyamoto musashi
Sean Connery: sir sean connery
Sentimental Value: affeksjonsverdi
Shirley MacLaine: shirley maclean
Shoe-Shine: sciuscia
Shoplifters: manbiki kazoku
Society of the Snow: la sociedad de la nieve
Son of Saul: saul fia
Son of the Bride: el hijo de la novia
Spider-Man: Across the Spider-Verse: across the spiderverse
Spider-Man: Into the Spider-Verse: into the spiderverse, spiderverse
Spirited Away: sen to chihiro, sen to chihiro no kamikakushi
Star Wars: a new hope, star wars 4
Star Wars: The Force Awakens: star wars 7
Star Wars: The Last Jedi: star wars 8
Stolen Kisses: baisers voles
Strawberry and Chocolate: fresa y chocolate
Sunset Blvd.: sunset boulevard
Sylvester Stallone: sly, sly stallone
Talk to Her: hable con ella
Tangerines: mandariinid
Terminator 2: Judgment Day: terminator 2 judgement day
Terrence Malick: terry malick
That Obscure Object of Desire: cet obscur objet du desir
The 400 Blows: four hundred blows, les quatre cents coups
The Assault: de aanslag
The Baader Meinhof Complex: der baader meinhof komplex
The Barbarian Invasions: les invasions barbares
The Battle of Algiers: la battaglia di algeri
The Bicycle Thief: bicycle thieves, ladri di biciclette
The Boy and the Heron: how do you live, kimitachi wa do ikiru ka
The Broken Circle Breakdown: alabama monroe
The Brothers Karamazov: bratya karamazovy
The Chronicles of Narnia: The Lion, the Witch and the Wardrobe: narnia
The Class: entre les murs
The Conformist: il conformista
The Counterfeiters: die falscher
The Dark Knight: tdk
The Dawns Here Are Quiet: a zori zdes tikhie
The Decline of the American Empire: le declin de l'empire americain
The Discreet Charm of the Bourgeoisie: le charme discret de la bourgeoisie
The Diving Bell and the Butterfly: le scaphandre et le papillon
The Emigrants: utvandrarna
The Empire Strikes Back: esb, star wars 5
The Firemen's Ball: hori ma panenko
The Garden of the Finzi Continis: il giardino dei finzi contini
The Grand Budapest Hotel: tgbh
The Grandmaster: yi dai zong shi
The Great Beauty: la grande bellezza
The Hobbit: An Unexpected Journey: hobbit 1
The Hobbit: The Battle of the Five Armies: hobbit 3
The Hobbit: The Desolation of Smaug: hobbit 2
The Hunt: jagten
The King's Speech: king's speech
The Last Metro: le dernier metro
The Leopard: il gattopardo
The Lives of Others: das leben der anderen
The Lord of the Rings: The Fellowship of the Ring: fotr, lotr 1, tlotr
The Lord of the Rings: The Return of the King: lotr 3, rotk
The Lord of the Rings: The Two Towers: lotr 2, tttt
The Man without a Past: mies vailla menneisyytta
The Milk of Sorrow: la teta asustada
The Motorcycle Diaries: diarios de motocicleta
The Nasty Girl: das schreckliche madchen
The New Land: nybyggarna
The Nights of Cabiria: le notti di cabiria
The Official Story: la historia oficial
The Quiet Girl: an cailin ciuin
The Red Turtle: la tortue rouge
The Salesman: forushande
The Scent of Green Papaya: mui du du xanh
The Sea Inside: mar adentro
The Secret Agent: o agente secreto
The Secret in Their Eyes: el secreto de sus ojos
The Shop on Main Street: obchod na korze
The Square: rutan
The Tale of the Princess Kaguya: kaguyahime no monogatari
The Tin Drum: die blechtrommel
The Triplets of Belleville: belleville rendez vous, les triplettes de belleville
The Truce: la tregua
The Umbrellas of Cherbourg: les parapluies de cherbourg
The Virgin Spring: jungfrukallan
The Wedding Banquet: xi yan
The White Ribbon: das weisse band
The Wind Rises: kaze tachinu
The Worst Person in the World: verdens verste menneske
There Will Be Blood: twbb
Three Billboards outside Ebbing, Missouri: three billboards
Three Men and a Cradle: trois hommes et un couffin
Through a Glass Darkly: sasom i en spegel
Timothée Chalamet: timmy chalamet
Two Women: la ciociara
Vitelloni: i vitelloni
Vivien Leigh: vivian leigh
Wallace & Gromit in The Curse of the Were-Rabbit: wallace and gromit
Waltz with Bashir: vals im bashir
War and Peace: voyna i mir
When Marnie Was There: omoide no mani
Whoopi Goldberg: caryn elaine johnson, caryn johnson
Wild Strawberries: smultronstallet
Wild Tales: relatos salvajes
Woman in the Dunes: suna no onna
Women on the Verge of a Nervous Breakdown: mujeres al borde de un ataque de nervios
Woody Allen: allan konigsberg
Yesterday, Today and Tomorrow: ieri oggi domani
tt0047478: seven samurai, shichinin no samurai
`;

/** The letters of a name: spaces and punctuation do not count. */
const lettersOf = (name: string): string => tokens(name).join('');

/** Other name → the title, the name or the IMDb id on record. */
export const otherNames: readonly (readonly [other: string, name: string])[] = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    // Titles have colons, too.
    const at = line.lastIndexOf(': ');
    const others = line.slice(at + 2).split(', ');
    return others.map((other) => [other, line.slice(0, at)] as const);
  });

const byLetters: ReadonlyMap<string, string> = new Map(
  otherNames.map(([other, name]) => [lettersOf(other), name]),
);

/** The title, the name or the IMDb id on record that another name stands for. */
export const nameOnRecord = (other: string): string | undefined => byLetters.get(lettersOf(other));

/** The same where the other name has typing mistakes, or lacks a short word: of the nearest one. */
export function nameOnRecordNear(typed: string): string | undefined {
  const letters = lettersOf(typed);
  const max = maxEditsOf(letters);
  let nearest: string | undefined;
  let fewest = max + 1;
  for (const [other, name] of byLetters) {
    if (other[0] !== letters[0] || maxEditsOf(other) < max) continue;
    const edits = editDistance(letters, other, max);
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
}
