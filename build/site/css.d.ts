/** Style sheets are imported for what the bundler makes of them. */
declare module '*.css';
