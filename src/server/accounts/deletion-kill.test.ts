import { expect, test } from 'vitest'
import { killDeletions } from '../../../test/support/killed-deletions.ts'

test('kill -9 in the middle of a deletion leaves the account whole, or gone with everything', { tags: ['full'] }, async () => {
  await expect(killDeletions(1)).resolves.toBeUndefined()
})
