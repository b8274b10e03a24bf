/** What pages, programs and the root of the API say about the sample of the project. */
import { wholeRecord } from './sources.ts';

/** What the sample holds, and how to get the whole record. */
export const sampleNotice =
  'This is a sample: all of the latest three ceremonies, and the winners of six categories of all others. ' +
  `Totals and rankings count no more than that. For the whole record: npm start -- ${wholeRecord}`;
