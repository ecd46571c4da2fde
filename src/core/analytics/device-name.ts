/** Devices by Search Console's name, as people call them. */
export const deviceLabels: Readonly<Record<string, string>> = { DESKTOP: 'Desktop', MOBILE: 'Mobile', TABLET: 'Tablet' }

/** Unknown ones keep Google's name. */
export const deviceName = (name: string): string => deviceLabels[name.toUpperCase()] ?? name
