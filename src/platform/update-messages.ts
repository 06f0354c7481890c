/** What the page says to a service worker, which may be of an older version or of a newer one: they stay as they are. */

/** To the one that waits: take over as soon as the old one is idle. */
export const applyUpdate = 'apply-update';
/** To the old one, with a port: end what you wait for from the network, and say so there. As long as that lasts, no other can take over. */
export const letGo = 'let-go';
/** To any, with a port: answer there with the headlines of your changelog. */
export const listNews = 'list-news';
