/** A property as shown in lists with a selection. */
export const shownProperty = (name: string): string => name.replace(/^sc-domain:(.*)$/, '$1 domain')
