/** Devices as Search Console names them, and as people do. */
export const deviceLabels: Readonly<Record<string, string>> = { DESKTOP: 'Desktop', MOBILE: 'Mobile', TABLET: 'Tablet' }

/** One that we do not know is called what Google calls it. */
export const deviceName = (name: string): string => deviceLabels[name.toUpperCase()] ?? name
