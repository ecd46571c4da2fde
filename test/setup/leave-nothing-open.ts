import { afterAll } from 'vitest'
import { endGathering } from '../support/gathered-log.ts'
import { closeWhatIsLeft } from '../support/left-open.ts'

// A worker runs its files one after another in one process, and its ClickHouse opens one directory at a time.
afterAll(async () => {
  await closeWhatIsLeft()
  endGathering()
})
