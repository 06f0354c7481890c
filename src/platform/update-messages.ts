/** Messages from the page to a service worker. Never change them: the worker may have any version. */

/** Asks the waiting worker to take over as soon as the old worker is idle. */
export const applyUpdateMessage = 'apply-update';
/** Asks the old worker to abort its requests, which block the new worker, and to confirm on a port. */
export const abortRequestsMessage = 'let-go';
/** Asks a worker to reply on a port with the headlines of its changelog. */
export const listNewsMessage = 'list-news';
