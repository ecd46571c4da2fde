import { createHash } from 'node:crypto'

/** A name for these very bytes. */
export const etagOf = (payload: string): string => `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`

/** Whether an `If-None-Match` header names this answer: then there is nothing new to send. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((each) => {
    const known = each.trim()
    return known === '*' || known.replace(/^W\//, '') === etag
  })
