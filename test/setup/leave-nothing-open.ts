import { afterAll } from 'vitest'
import { closeWhatIsLeft } from '../support/left-open.ts'

// Files of a worker follow each other in one process, and its ClickHouse opens one directory at a time.
afterAll(closeWhatIsLeft)
