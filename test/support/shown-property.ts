/** A property as the lists show it in which one is chosen. */
export const shownProperty = (name: string): string => name.replace(/^sc-domain:(.*)$/, '$1 domain')
