/** Values of options, read from the command line or the environment. A wrong one is refused with what it must be. */
import { InvalidArgumentError } from 'commander';
import type { ListenAddress } from './serve-commands.ts';

/** Reads a list such as "https://image.tmdb.org, https://upload.wikimedia.org". @returns the origins, or the first that is none */
export function readImageOrigins(text: string): readonly string[] | { fault: string } {
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const fault = origins.find((origin) => !isHttpsOrigin(origin));
  return fault === undefined ? [...new Set(origins)] : { fault };
}

const isHttpsOrigin = (text: string): boolean =>
  /^https:\/\/[a-z0-9.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

export function origins(value: string): readonly string[] {
  const read = readImageOrigins(value);
  if ('fault' in read)
    throw new InvalidArgumentError(`"${read.fault}" is not an origin such as https://image.tmdb.org.`);
  return read;
}

export function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

export function webOrigin(value: string): string {
  const { origin, protocol } = URL.canParse(value) ? new URL(value) : { origin: '', protocol: '' };
  if (!/^https?:$/.test(protocol) || ![origin, `${origin}/`].includes(value))
    throw new InvalidArgumentError(
      'It must be an http or https address without a path, such as https://awards.example.',
    );
  return origin;
}

export function wholeNumber(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^[0-9]+$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
}

/** The host is 127.0.0.1 where none is given. */
export function listenAddress(value: string): ListenAddress {
  const [, ipv6, host = ipv6 ?? '127.0.0.1', port = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]+):)?([0-9]{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be a port, or a host and a port, such as 127.0.0.1:9464.');
  return { host, port: Number(port) };
}

export function scaleNumber(value: string): number {
  const number = Number(value);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(value) || !(number > 0) || number > 100)
    throw new InvalidArgumentError('It must be a number above 0, at most 100.');
  return number;
}
