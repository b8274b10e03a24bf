/**
 * Other names of films and people: original titles, short forms and nicknames. A line has the title or the
 * name on record, or an IMDb id where another record has the same title, and the other names, folded.
 */
const table = `
A Man and a Woman: un homme et une femme
A Prophet: un prophete
A Separation: jodaeiye nader az simin, nader and simin
Adrien Brody: adrian brody
Alec Guinness: sir alec guinness
Alejandro G. Iñárritu: alejandro gonzalez inarritu
Alfred Hitchcock: hitch
All Quiet on the Western Front: im westen nichts neues
All about My Mother: todo sobre mi madre
Amélie: le fabuleux destin d amelie poulain
Anatomy of a Fall: anatomie d une chute
Ang Lee: ang li
Another Round: druk
Anthony Hopkins: sir anthony hopkins
Antonia's Line: antonia
Avatar: Fire and Ash: avatar 3
Avatar: The Way of Water: avatar 2
Babette's Feast: babettes gaestebud
Back to the Future: bttf
Barbra Streisand: babs, barbara streisand
Ben Kingsley: sir ben kingsley
Black Orpheus: orfeu negro
Black Panther: wakanda
Brendan Fraser: brendan frasier
Burnt by the Sun: utomlyonnye solntsem
Central Station: central do brasil
Character: karakter
Children of Heaven: bacheha ye aseman
Christoph Waltz: christoph walz
Christopher Nolan: chris nolan
Cillian Murphy: killian murphy
Cinema Paradiso: nuovo cinema paradiso
City of God: cidade de deus
Closely Watched Trains: ostre sledovane vlaky
Cold War: zimna wojna
Cries and Whispers: viskningar och rop
Crouching Tiger, Hidden Dragon: wo hu cang long
Damien Chazelle: damian chazelle
Daniel Day-Lewis: ddl
Day for Night: la nuit americaine
Departures: okuribito
Divorce--Italian Style: divorzio all italiana
Downfall: der untergang
Drive My Car: doraibu mai ka
E.T. The Extra-Terrestrial: et the extra terrestrial
Eat Drink Man Woman: yin shi nan nu
Elizabeth Taylor: liz taylor
Elton John: reginald dwight
Eminem: marshall mathers, slim shady
Emma Stone: emily jean stone
Emmanuel Lubezki: chivo, emmanuel chivo lubezki
Everything Everywhere All at Once: eeaao
Fanny & Alexander: fanny och alexander
Farewell My Concubine: ba wang bie ji
Federico Fellini's 8-1/2: otto e mezzo
Forbidden Games: jeux interdits
Godzilla Minus One: gojira, gojira minus one
Grand Illusion: la grande illusion
Gregory Peck: greg peck
Guillermo del Toro: gdt
Harry Potter and the Sorcerer's Stone: harry potter 1, philosopher s stone
Helen Mirren: dame helen mirren
Hero: ying xiong
Howl's Moving Castle: hauru no ugoku shiro
Humphrey Bogart: bogie
I'm Still Here: ainda estou aqui
Ian McKellen: sir ian mckellen
J.K. Simmons: jk simmons
Jack Lemmon: jack lemon
James Cagney: jimmy cagney
James Cameron: jim cameron
James Stewart: jimmy stewart
Jennifer Lawrence: j law, jlaw
Joaquin Phoenix: leaf phoenix
John Gielgud: sir john gielgud
John Wayne: duke wayne, the duke
Judi Dench: dame judi dench
Katharine Hepburn: kate hepburn
Ke Huy Quan: jonathan ke quan
Killers of the Flower Moon: kotfm
La Vie en Rose: la mome
Lady Gaga: stefani germanotta, stefani joanne germanotta
Lagaan: lagaan once upon a time in india, mission kashmir
Laurence Olivier: larry olivier, sir laurence olivier
Leonardo DiCaprio: leo, leo dicaprio
Life Is Beautiful: la vita e bella
Liza Minnelli: liza minelli
Maggie Smith: dame maggie smith
Margot Robbie: margo robbie
Marriage Italian Style: matrimonio all italiana
Martin Scorsese: marty scorsese
Meryl Streep: mary louise streep
Michelle Yeoh: michelle yeo
Mo'Nique: mo nique
Moscow Does Not Believe in Tears: moskva slezam ne verit
Mr. Hulot's Holiday: les vacances de m hulot
My Uncle: mon oncle
No Country for Old Men: ncfom
No Man's Land: no man s land
Nowhere in Africa: nirgendwo in afrika
Once upon a Time...in Hollywood: ouatih
One Battle after Another: obaa, ootwo
One Flew over the Cuckoo's Nest: cuckoo s nest
Open City: roma citta aperta, rome open city
Pan's Labyrinth: el laberinto del fauno
Parasite: gisaengchung
Paul McCartney: macca
Paul Thomas Anderson: pta
Philip Seymour Hoffman: phil seymour hoffman, psh
Quentin Tarantino: qt
RRR: naatu naatu, rise roar revolt
Raiders of the Lost Ark: indiana jones 1
Raise the Red Lantern: da hong denglong gaogao gua
Return of the Jedi: star wars 6
Robert De Niro: bob de niro, bobby de niro
Robert Downey Jr.: rdj
Robert Zemeckis: bob zemeckis
Samuel L. Jackson: sam jackson
Sentimental Value: affeksjonsverdi
Shoe-Shine: sciuscia
Shoplifters: manbiki kazoku
Son of Saul: saul fia
Son of the Bride: el hijo de la novia
Spider-Man: Into the Spider-Verse: into the spiderverse, spiderverse
Spirited Away: sen to chihiro, sen to chihiro no kamikakushi
Star Wars: a new hope, star wars 4
Star Wars: The Force Awakens: star wars 7
Star Wars: The Last Jedi: star wars 8
Sunset Blvd.: sunset boulevard
Sylvester Stallone: sly, sly stallone
Talk to Her: hable con ella
Terrence Malick: terry malick
The 400 Blows: four hundred blows, les quatre cents coups
The Assault: de aanslag
The Battle of Algiers: la battaglia di algeri
The Bicycle Thief: bicycle thieves, ladri di biciclette
The Boy and the Heron: how do you live, kimitachi wa do ikiru ka
The Class: entre les murs
The Counterfeiters: die falscher
The Dark Knight: tdk
The Discreet Charm of the Bourgeoisie: le charme discret de la bourgeoisie
The Diving Bell and the Butterfly: le scaphandre et le papillon
The Empire Strikes Back: esb, star wars 5
The Garden of the Finzi Continis: il giardino dei finzi contini
The Grand Budapest Hotel: tgbh
The Grandmaster: yi dai zong shi
The Great Beauty: la grande bellezza
The Hunt: jagten
The King's Speech: king s speech
The Last Metro: le dernier metro
The Lives of Others: das leben der anderen
The Lord of the Rings: The Fellowship of the Ring: fotr, lotr 1, tlotr
The Lord of the Rings: The Return of the King: lotr 3, rotk
The Lord of the Rings: The Two Towers: lotr 2, tttt
The Motorcycle Diaries: diarios de motocicleta
The Nights of Cabiria: le notti di cabiria
The Official Story: la historia oficial
The Salesman: forushande
The Sea Inside: mar adentro
The Secret Agent: o agente secreto
The Secret in Their Eyes: el secreto de sus ojos
The Shop on Main Street: obchod na korze
The Tin Drum: die blechtrommel
The Triplets of Belleville: belleville rendez vous, les triplettes de belleville
The Umbrellas of Cherbourg: les parapluies de cherbourg
The Virgin Spring: jungfrukallan
The Wedding Banquet: xi yan
The White Ribbon: das weisse band
The Wind Rises: kaze tachinu
The Worst Person in the World: verdens verste menneske
There Will Be Blood: twbb
Through a Glass Darkly: sasom i en spegel
Timothée Chalamet: timmy chalamet
Top Gun: Maverick: tgm
Two Women: la ciociara
Vitelloni: i vitelloni
Vivien Leigh: vivian leigh
Wallace & Gromit in The Curse of the Were-Rabbit: wallace and gromit
War and Peace: voyna i mir
Whoopi Goldberg: caryn johnson
Wild Strawberries: smultronstallet
Wild Tales: relatos salvajes
Women on the Verge of a Nervous Breakdown: mujeres al borde de un ataque de nervios
Woody Allen: allan konigsberg
Yesterday, Today and Tomorrow: ieri oggi domani
tt0047478: seven samurai, shichinin no samurai
`;

/** Other name → the title, the name or the IMDb id on record. */
export const otherNames: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      // Titles have colons, too.
      const at = line.lastIndexOf(': ');
      const name = line.slice(0, at);
      return line
        .slice(at + 2)
        .split(', ')
        .map((other): [string, string] => [other, name]);
    }),
);
