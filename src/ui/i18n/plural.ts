/** PURE: a number of things, in English. */
export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
