/** The newest version of the tables in database.ts. Here, because that file brings Dexie, which who only asks for this does without. */
export const schemaVersion = 12;

/** As the browser counts it: Dexie takes ten times its own. */
export const indexedDbVersion = schemaVersion * 10;
