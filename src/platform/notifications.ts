/** What is said outside the page: notifications of the system, and the number on the icon of an app that is installed. */

/** As the browser has it; `missing` where it has none, or nothing that could show one. */
export function notificationPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'missing';
}

/** Only after a press. Resolves to whether it is granted. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

interface Notice {
  title: string;
  body: string;
  /** One with the same takes its place. */
  tag: string;
  /** What stands behind `#` in the address that a click on it leads to; '' leads to the page as it is. */
  hash: string;
}

/** Does nothing where there is no service worker, which is who is told of a click. */
export async function notify({ title, hash, ...options }: Notice): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(title, { ...options, icon: 'icon-192.png', data: hash });
}

/** The person is here: what was said is seen. */
export async function dropNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** 0 takes it away. Browsers show it only of an app that is installed. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
}

/** Where a click on a notification leads, for as long as the page lives. */
export function onNotificationClick(open: (hash: string) => void): void {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && data.startsWith('#/')) open(data);
  });
}
