import sharp from 'sharp'
import { expect, test } from 'vitest'
import { TooManyRequests } from '../platform/fair-share.ts'
import { drawLogo } from './logo.ts'

test(
  'logos are processed one at a time; of many uploaded at once by one account, three are processed and the rest are refused',
  { tags: ['full'] },
  async () => {
    const create = { width: 4_000, height: 4_000, channels: 4, background: '#00aa44' } as const
    const large = await sharp({ create }).png({ progressive: true }).toBuffer()
    const drawn = await Promise.allSettled(Array.from({ length: 6 }, () => drawLogo(large)))
    expect(drawn.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const refused = drawn.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    expect(refused).toEqual([expect.any(TooManyRequests), expect.any(TooManyRequests), expect.any(TooManyRequests)])
  },
)
