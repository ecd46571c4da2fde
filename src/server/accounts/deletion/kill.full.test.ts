import { expect, test } from 'vitest'
import { killDeletions } from '../../../../test/support/killed-deletions.ts'

test('kill -9 at any point of a deletion leaves the account intact, or gone with everything', async () => {
  await expect(killDeletions(5)).resolves.toBeUndefined()
})
