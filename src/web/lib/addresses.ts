import { z } from 'zod'

// Only paths of this site: `//host` and `/\host` would be read as another host.
const state = z.object({ from: z.string().regex(/^\/(?![/\\])/) })

export function returnState({ pathname, search }: { pathname: string; search: string }): z.infer<typeof state> {
  return { from: pathname + search }
}

/** Where somebody wanted to go before being sent to log in, from the router's location state. */
export function returnPath(locationState: unknown, fallback: string): string {
  const parsed = state.safeParse(locationState)
  return parsed.success ? parsed.data.from : fallback
}

/** A URL that is safe to link to: a web page, never a script; null for any other text. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
