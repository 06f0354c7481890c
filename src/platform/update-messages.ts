/** Messages of the page to a service worker of any version, so they must never change. */

/** To the waiting worker: take over as soon as the old one is idle. */
export const applyUpdate = 'apply-update';
/** To the old worker, with a port: abort network requests and confirm. While they run, no other can take over. */
export const letGo = 'let-go';
/** To any worker, with a port: reply with the headlines of your changelog. */
export const listNews = 'list-news';
