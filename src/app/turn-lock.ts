/** The name of the lock that is held while a turn of this chat runs, in any tab. */
export const turnLock = (chatId: string) => `turn:${chatId}`;
