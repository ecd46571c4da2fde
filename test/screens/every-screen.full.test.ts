import { everyScreen } from '../support/every-screen/all.ts'
import { expectStill, lookCloselyAt } from '../support/every-screen/look.ts'
import { test } from '../support/screen-test.ts'

test.for(everyScreen)('$name: accessible, in either theme, on a desktop or on a phone, from 320 to 1,920 px', (screen, { desk, open }) =>
  lookCloselyAt(screen, { desk, open }),
)

/** A list of alerts is as long as there are alerts, so what stands below it moves when they arrive. */
const still = everyScreen.filter(({ name }) => name !== 'alert report')
test.for(still.flatMap((screen) => [375, 1_024, 1_440].map((width) => [screen, width] as const)))(
  '$0.name: nothing moves while it loads at $1 px',
  ([screen, width], { desk, open }) => expectStill(screen, { desk, open }, width),
)
