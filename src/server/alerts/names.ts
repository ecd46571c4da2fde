// PostgreSQL can't store the null character, which the name of a page or query may contain. It is written as a private-use character and a
// digit, and that character itself as two.
const sign = '\uE000'

/** A name in a form that PostgreSQL can store. */
export const toStored = (name: string): string => name.toWellFormed().replaceAll(sign, `${sign}1`).replaceAll('\0', `${sign}0`)

export const fromStored = (text: string): string => text.replaceAll(`${sign}0`, '\0').replaceAll(`${sign}1`, sign)
