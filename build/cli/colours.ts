/** Colours on a terminal, for people who did not say that they want none; elsewhere the plain text. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** @param stream where the text is written to */
export function coloured(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  // https://no-color.org: any value but the empty one.
  return stream.isTTY && !process.env.NO_COLOR ? styleText(format, text) : text;
}
