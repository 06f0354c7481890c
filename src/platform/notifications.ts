/** `missing` if the browser has no notifications or no service worker. */
export function notificationPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'missing';
}

/** Call it only after a click. Resolves to whether the user agreed. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

interface Notice {
  title: string;
  body: string;
  tag: string;
  /** The hash of the address that a click opens. '' opens the page as it is. */
  hash: string;
}

/** Does nothing without a service worker, which handles the clicks. */
export async function notify({ title, hash, ...options }: Notice): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(title, { ...options, icon: 'icon-192.png', data: hash });
}

/** The user is back: closes our notifications. */
export async function dropNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** 0 removes the badge. Browsers show it only for installed apps. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
}

export function onNotificationClick(open: (hash: string) => void): void {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && data.startsWith('#/')) open(data);
  });
}
