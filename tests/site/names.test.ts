/** Promise: names are readable, although the source has some in capitals. */
import { expect, it } from 'vitest';
import { nameCased } from '../../build/site/shared/format.ts';

it.each([
  ['WILLIAM A. MUELLER', 'William A. Mueller'],
  ['Fox Film Corporation, FRED JACKMAN', 'Fox Film Corporation, Fred Jackman'],
  ['UB IWERKS, KEN McGAUGH', 'Ub Iwerks, Ken McGaugh'],
  ['the 20TH CENTURY-FOX FILM CORP.', 'the 20th Century-Fox Film Corp.'],
  ['DR. BERNHARD KÜHL, the OSRAM GmbH', 'Dr. Bernhard Kühl, the Osram GmbH'],
  ["CHADWELL O'CONNOR", "Chadwell O'Connor"],
  ['RCA-PHOTOPHONE INC., Rko Radio Pictures', 'RCA-Photophone Inc., RKO Radio Pictures'],
])('%s is shown as %s', (source, shown) => {
  expect(nameCased(source)).toBe(shown);
});

it.each(['Mervyn LeRoy', 'Arnold Richter, Otto Blaschek, ARRI', 'the RCA Manufacturing Company', 'BHP Inc.'])(
  '%s stays as it is',
  (names) => {
    expect(nameCased(names)).toBe(names);
  },
);
