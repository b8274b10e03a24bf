/** Loaded before a source of the project: lets Node load TypeScript. */
import { register } from 'tsx/esm/api';

register();
