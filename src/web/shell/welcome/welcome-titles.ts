/** What each step of the welcome dialog is about. */
export const titles = [
  'Welcome to Ranklark',
  'Connect Google Search Console',
  'Set up your first alert',
  'Notification preferences',
] as const
