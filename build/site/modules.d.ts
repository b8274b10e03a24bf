/** Modules without types of their own. */
declare module '*.css';
