import { resourceOf } from './message.ts'
import type { Message } from './message.ts'
import type { World } from './world.ts'

const DEFAULT_PAGE = 50
const LARGEST_PAGE = 1000

/** Midnight or instant of an ISO date, NaN for anything else. */
const momentOf = (text: string): number => Date.parse(text)

function matches(message: Message, query: URLSearchParams): boolean {
  const [to, from] = [query.get('To'), query.get('From')]
  if (to !== null && message.to !== to) return false
  if (from !== null && message.from !== from) return false
  const [day, before, after] = [query.get('DateSent'), query.get('DateSent<'), query.get('DateSent>')]
  const sent = message.sent ?? message.created
  if (day !== null && new Date(sent).toISOString().slice(0, 10) !== day.slice(0, 10)) return false
  if (before !== null && !(sent <= momentOf(before))) return false
  return after === null || sent >= momentOf(after)
}

function whole(text: string | null, fallback: number): number {
  const number = Number(text ?? fallback)
  return Number.isInteger(number) && number >= 0 ? number : fallback
}

/** A page of the account's messages, newest first, with the URLs of its neighbors. */
export function listMessages(world: World, { pathname, searchParams }: URL): object {
  const size = Math.min(LARGEST_PAGE, whole(searchParams.get('PageSize'), DEFAULT_PAGE)) || DEFAULT_PAGE
  const page = whole(searchParams.get('Page'), 0)
  const all = world.store.list().filter((message) => matches(message, searchParams))
  const start = page * size
  const shown = all.slice(start, start + size)
  const address = (number: number): string => {
    const query = new URLSearchParams(searchParams)
    query.set('PageSize', String(size))
    query.set('Page', String(number))
    return `${pathname}?${query}`
  }
  return {
    messages: shown.map(resourceOf),
    page,
    page_size: size,
    start,
    end: Math.max(start, start + shown.length - 1),
    uri: address(page),
    first_page_uri: address(0),
    next_page_uri: start + size < all.length ? address(page + 1) : null,
    previous_page_uri: page === 0 ? null : address(page - 1),
  }
}
