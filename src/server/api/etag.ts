import { createHash } from 'node:crypto'

/** Identifies these exact bytes. */
export const etagOf = (payload: string): string => `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`

/** Whether an `If-None-Match` header matches this answer, so that there is nothing new to send. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((each) => {
    const known = each.trim()
    return known === '*' || known.replace(/^W\//, '') === etag
  })
