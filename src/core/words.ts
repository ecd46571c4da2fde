/** `1 alert`, `1,204 alerts`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** `1 click`, `1,204 impressions`, of a metric that counts. */
export const countOf = (metric: string, value: number | null): string => counted(Math.round(value ?? 0), metric.slice(0, -1), metric)

/** `A, B and C`: without the comma before the last item that `Intl.ListFormat` adds in American English. */
export const listed = (items: readonly string[], last: 'and' | 'or' = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`
