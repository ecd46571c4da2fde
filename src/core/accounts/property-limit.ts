/**
 * Maximum number of properties of an account, and total length of their names, unless it has more already: every session and list names all of them.
 */
export const mostProperties = { count: 5_000, letters: 500_000 }

/** Longest name that can be asked about; URLs of sites are far shorter. */
export const longestPropertyName = 2_048

/** Whether an account has room for one more property. */
export const hasRoomFor = (name: string, { count, letters }: { count: number; letters: number }): boolean =>
  count < mostProperties.count && letters + name.length <= mostProperties.letters

export const tooManyProperties = `You've reached the limit of ${mostProperties.count.toLocaleString('en-US')} properties per account (fewer if their names are long).`
