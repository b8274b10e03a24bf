/** Which nominees are people. The others are companies and countries. */

/** Whether a nominee is a person: by its IMDb id, and without one by whether it has a department. */
export const isPerson = (filmindexId: string | null, department: string | null): boolean =>
  filmindexId === null ? department !== null : !filmindexId.startsWith('co');
