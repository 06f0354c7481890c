export function getNotificationPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis && 'serviceWorker' in navigator ? Notification.permission : 'missing';
}

/** Browsers only allow this after a click. Resolves to whether the user agreed. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

interface Notice {
  title: string;
  body: string;
  tag: string;
  /** The URL hash that a click opens. '' only shows the page. */
  hash: string;
}

/** Does nothing without a service worker, which handles the clicks. */
export async function notify({ title, hash, ...options }: Notice): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(title, { ...options, icon: 'icon-192.png', data: hash });
}

/** Call this when the user is back. */
export async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** Shows a count on the app's icon. 0 removes it. Browsers support this only for installed apps. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
}

export function onNotificationClick(open: (hash: string) => void): void {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && data.startsWith('#/')) open(data);
  });
}
