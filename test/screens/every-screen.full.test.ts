import { everyScreen } from '../support/every-screen/all.ts'
import { lookCloselyAt } from '../support/every-screen/look.ts'
import { test } from '../support/screen-test.ts'

test.for(everyScreen)('$name: accessible, in either theme, on a desktop or on a phone, from 320 to 1,920 px', (screen, { desk, open }) =>
  lookCloselyAt(screen, { desk, open }),
)
