export { awards } from '../support/processes.ts';
