import type { Draft } from '../../mail/layout.ts'
import { type Composed, render } from '../../mail/render.ts'

/** Gmail shows 102 KB of a mail and cuts off what follows, the link to unsubscribe with it; some of that is for what the way adds. */
const mostBytes = 92_000

/** A mail with as many of its parts as leave it short enough, at most so many; none of them if need be. */
export function fitted(draftOf: (parts: number) => Draft, most: number): Composed {
  for (let parts = most; ;) {
    const composed = render(draftOf(parts))
    const size = sizeOf(composed.html)
    if (parts === 0 || size <= mostBytes) return composed
    parts = Math.floor(parts * Math.min(0.9, mostBytes / size))
  }
}

/** In quoted-printable, as it travels: what is not ASCII, and the equals sign, take three bytes for each one. */
const sizeOf = (html: string): number => Buffer.from(html).reduce((bytes, byte) => bytes + (byte > 126 || byte === 0x3d ? 3 : 1), 0)
